# Builds both servers; what is built already is not built again.
exec go build -buildvcs=false -o build/ ./bare ./instrumented
