#!/bin/sh
# Makes Temporal's tables in PostgreSQL, or brings them up to this version. Can be run again.
set -eu

for database in temporal temporal_visibility; do
  case $database in
    temporal) folder=temporal ;;
    *) folder=visibility ;;
  esac
  tool="temporal-sql-tool --plugin postgres12 --endpoint $POSTGRES_HOST --port 5432 --user $POSTGRES_USER --database $database"
  $tool create-database
  $tool setup-schema --version 0.0
  $tool update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$folder/versioned"
done
