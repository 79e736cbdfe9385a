"""What reads and writes text: encoders, classifiers, generators. Heavy packages are imported inside functions."""
