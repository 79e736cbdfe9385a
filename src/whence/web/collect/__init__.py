"""The pages on which people work, and those on which others see how the work goes.

`section` puts them together; `access` lets people in; `work` has the pages of workers, `admin` those of
administrators; `items` shows what a stage shows; `editors` has one module for each way to answer.
"""
