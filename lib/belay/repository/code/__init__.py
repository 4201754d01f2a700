"""What source files hold: routes, components, exports, tests, dependencies, each at its line. Start with `survey`."""
