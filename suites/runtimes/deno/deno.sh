# The package for this machine; the one in .bin would start it from Node.
exec node_modules/@deno/*/deno "$@"
