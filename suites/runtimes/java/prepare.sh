# Fetches the agent and compiles the server, unless that was done since they changed.
set -e
[ build/Server.class -nt Server.java ] && [ build/Server.class -nt pom.xml ] && exit
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=build -Dmdep.stripVersion=true -Dmdep.overWriteReleases=true >&2
javac -d build Server.java
