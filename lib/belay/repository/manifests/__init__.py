"""What a project's manifests declare: dependencies, scripts, the stack, names of environment variables."""
