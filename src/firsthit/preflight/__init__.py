"""What is wrong or noteworthy about labels and runs before anything is computed."""
