"""What lies in inside/ runs in the virtual machine only: `make test-vm`, `make test-arm64`."""

collect_ignore = ["inside", "cache"]
