import { describe, expect, it } from 'vitest'
import { readEnvironment } from './environment.ts'

describe('a wrong value of the environment', () => {
  it.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['WORKERS', 'many'],
    ['WORKERS', '-1'],
    ['WORKERS', '257'],
    ['DATABASE_URL', 'mysql://host/base'],
    ['DATABASE_URL', 'postgres://'],
    ['DATABASE_URL', 'postgres://%zz@host/base'],
    ['DATABASE_URL', 'postgres://host:99999/base'],
    ['DATABASE_URL', 'postgres://user:p#ss@host/base'],
    ['DATABASE_URL', 'postgres://user:p/ss@host/base'],
    ['DATABASE_URL', 'postgres://host/base?sslmode=verifyfull'],
    ['REDIS_URL', 'http://host'],
    ['REDIS_URL', 'redis://:::'],
    ['REDIS_URL', 'redis://host/cache'],
    ['REDIS_URL', 'redis://host/1/2'],
    ['REDIS_URL', 'redis://host?db=cache'],
    ['REDIS_URL', 'redis://:a%zz@host'],
    ['SECRET_KEY', 'short'],
    ['SSRF_ALLOW', 'nonsense'],
    ['SSRF_ALLOW', '10.0.0.0/33'],
    ['SSRF_ALLOW', '::1/129'],
    ['TRUSTED_PROXIES', 'nonsense'],
    ['TRUSTED_PROXIES', '10.0.0.0/-1'],
    ['TRUSTED_PROXIES', '*'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_TOKEN', 'a\nb'],
    ['METRICS_TOKEN', 'ключ'],
    ['UPDATE_CHECK_URL', 'not a url'],
    ['UPDATE_CHECK_URL', 'ftp://host'],
    ['OPTION_MIN_ROLE', '50'],
    ['GENERATE_DEFAULT_TOKEN', 'maybe'],
    ['NOTIFY_LIMIT_COUNT', '99999999999999999999'],
    ['STREAMING_TIMEOUT', '99999999999'],
    ['RELAY_TIMEOUT', '2147484'],
    ['DRAIN_SECONDS', '2147484'],
    ['SHUTDOWN_SECONDS', '99999999'],
    ['TASK_POLL_SECONDS', '99999999'],
    ['COHERE_SAFETY_SETTING', 'strict'],
    ['AZURE_DEFAULT_API_VERSION', '"2024-10-21"'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer abc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', '"authorization: Bearer abc"'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=b,production'],
    ['REALTIME_MAX_SESSIONS', '99999999999999999999'],
    ['REALTIME_MAX_SESSIONS_PER_USER', '99999999999999999999'],
  ])('%s=%j is told in one sentence that names the variable', (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(
      new RegExp(`^${name} is wrong: [^\\n^]+\\(`),
    )
  })
})

describe('a right value', () => {
  it.each([
    ['SSRF_ALLOW', '10.0.0.0/8, 192.168.1.1,fd00::/8'],
    ['TRUSTED_PROXIES', '127.0.0.1 ::1'],
    ['DATABASE_URL', 'postgres://user:p%40ss@host:5432/base?sslmode=require'],
    ['DATABASE_URL', 'postgresql:///base?host=/var/run/postgresql'],
    ['DATABASE_URL', 'postgres://user@%2Fvar%2Frun%2Fpostgresql/base'],
    ['DATABASE_URL', 'postgres://user:a blank@host/base?sslmode=verify-full'],
    ['REDIS_URL', 'rediss://:secret@host:6380/1'],
    ['REDIS_URL', 'redis://user:a%2Fb@host/'],
    ['REDIS_URL', 'redis://[::1]:6379?db=2'],
    ['METRICS_TOKEN', 'a-token_of.ours'],
    ['AZURE_DEFAULT_API_VERSION', 'v1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Basic YWI6Yw==, x-scope=ours,'],
    ['UPDATE_CHECK_URL', 'https://host/latest.json'],
  ])('%s=%j is taken as it stands', (name, value) => {
    expect(readEnvironment({ [name]: value })).toMatchObject({ [name]: value })
  })

  it('may be empty, which is the default', () => {
    expect(readEnvironment({ PORT: '', REDIS_URL: '' })).toEqual(readEnvironment({}))
  })
})
