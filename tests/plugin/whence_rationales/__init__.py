"""A task for whence: claims about passages, judged by one of their sentences."""
