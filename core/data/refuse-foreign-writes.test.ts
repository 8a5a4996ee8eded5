import { describe, expect, it } from 'vitest'
import { refuseForeignWrites } from './refuse-foreign-writes.ts'

const check = (sql: string) => () => refuseForeignWrites(sql, 'acme__')

describe('statements of a plugin from outside', () => {
  it.each([
    'SELECT * FROM users',
    `SELECT 'DELETE FROM users' AS "update users"`,
    'select a -- ; drop table users\n from acme__x',
    'SELECT $$ ; DROP TABLE users $$',
    'INSERT INTO acme__x (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = excluded.a',
    'INSERT INTO acme__x (a) SELECT id FROM users RETURNING a',
    'INSERT OR REPLACE INTO "acme__x" VALUES (1)',
    'UPDATE acme__x SET a = replace(a, :b, :c) WHERE id IN (SELECT id FROM users)',
    'UPDATE OR IGNORE main.acme__x SET a = 1',
    'DELETE FROM ONLY acme__x',
    'WITH gone AS (DELETE FROM acme__x RETURNING *) SELECT * FROM gone',
    'SELECT * FROM acme__x FOR UPDATE',
    'CREATE TABLE IF NOT EXISTS acme__y (a BIGINT REFERENCES users (id) ON DELETE CASCADE ON UPDATE SET NULL)',
    'CREATE UNIQUE INDEX acme__i ON acme__x (a)',
    'ALTER TABLE acme__x RENAME TO acme__z',
    'DROP TABLE IF EXISTS acme__x, acme__y',
    '/* rows */ INSERT INTO acme__x VALUES (1);',
    'INSERT INTO ACME__X VALUES (1)',
  ])('may be %s', (sql) => {
    expect(check(sql)).not.toThrow()
  })

  it.each([
    ['UPDATE users SET quota = 1', 'users'],
    ['update "users" set quota = 1', 'users'],
    ['UPDATE ONLY public.users SET quota = 1', 'users'],
    ['DELETE FROM [tokens]', 'tokens'],
    ['INSERT OR REPLACE INTO options VALUES (1, 2)', 'options'],
    ['REPLACE INTO options VALUES (1, 2)', 'options'],
    ['SELECT 1; DELETE FROM users', 'users'],
    ['SELECT 1 /* ; */; -- x\n UPDATE users SET quota = 1', 'users'],
    ['WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone', 'users'],
    ['SELECT * INTO mine FROM users', 'mine'],
    ['CREATE TABLE mine (a BIGINT)', 'mine'],
    ['CREATE TABLE "ACME__x" (a BIGINT)', 'ACME__x'],
    ['CREATE INDEX acme__i ON users (id)', 'users'],
    ['ALTER TABLE acme__x RENAME TO users', 'users'],
    ['DROP TABLE acme__x, users', 'users'],
    ['DROP VIEW IF EXISTS "logs"', 'logs'],
    ['ACME__X', 'no statement'],
    ['CREATE TRIGGER acme__t AFTER DELETE ON users BEGIN SELECT 1; END', 'TRIGGER'],
    ['PRAGMA foreign_keys = OFF', 'PRAGMA'],
    ["ATTACH 'x' AS y", 'ATTACH'],
    ['COMMIT', 'COMMIT'],
    ['TRUNCATE users', 'TRUNCATE'],
    ["COPY users TO '/tmp/x'", 'COPY'],
    ['VACUUM', 'VACUUM'],
  ])('may not be %s', (sql, says) => {
    expect(check(sql)).toThrow(says)
  })
})
