-- +goose Up
-- From here on jobs are in a table of ours, which adapters/jobs makes: a program from before this
-- version would not do them, so it must not start. One that serves already goes on.
SELECT 1;

