// What a client may send that nobody wishes for: values of one field, whole bodies, parts of a path.
import { gzipSync } from 'node:zlib'

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Put in the place of one field of a body that is otherwise right. */
export const fieldValues: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  3.5,
  1e308,
  2 ** 53,
  '',
  '0x10',
  '1e9',
  'NaN',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '__proto__',
  'constructor',
  "'; DROP TABLE users; --",
  '%_\\',
  '\u202Egnp.exe',
  '-'.repeat(3_000) + 'a-'.repeat(3_000),
  'x'.repeat(70_000),
  [],
  {},
  [null],
  [[[]]],
  Array.from({ length: 2_000 }, () => 1),
  nested(60),
  nested(2_000),
  JSON.parse('{"__proto__":{"role":100},"constructor":{"prototype":{"role":100}}}') as unknown,
]

export interface HostileBody {
  name: string
  bytes: Buffer
  headers: Record<string, string>
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
const megabyte = 1_048_576

function body(name: string, bytes: string | Buffer, headers: Record<string, string>): HostileBody {
  return { name, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes, headers }
}

/** Sent to every route as they are. */
export const hostileBodies: readonly HostileBody[] = [
  body('nothing', '', {}),
  body('nothing as JSON', '', json),
  body('half an object', '{"model":', json),
  body('null', 'null', json),
  body('a list', '[]', json),
  body('a text', '"x"', json),
  body('a number', '1e308', json),
  body('an empty object', '{}', json),
  body('NUL as a key', '{"\\u0000":1,"name":"\\u0000"}', json),
  body('raw NUL', '{"name":"\u0000"}', json),
  body('a byte that is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json),
  body('a prototype', '{"__proto__":{"role":100},"constructor":{"prototype":{}}}', json),
  body('one key twice', '{"model":"a","model":"b","Model":"c","id":1,"id":2,"ID":3}', json),
  body('brackets', '['.repeat(200_000), json),
  body('brackets, closed', '['.repeat(30_000) + ']'.repeat(30_000), json),
  body('objects in objects', '{"a":'.repeat(50_000), json),
  body('many keys', `{${keys(40_000)}}`, json),
  body('many nodes', `[${'[],'.repeat(200_000)}[]]`, json),
  body('backslashes', `{"a":"${'\\\\'.repeat(100_000)}"}`, json),
  body('quotes without end', `{"a":"${'\\"'.repeat(100_000)}`, json),
  body('a long number', '9'.repeat(100_000), json),
  body('64 kB of a-a-', JSON.stringify({ name: 'a-'.repeat(32_000) }), json),
  body('plain text', '{"username":"root"}', { 'content-type': 'text/plain' }),
  body('a form', 'username=root&username=a&__proto__=1', form),
  body('a form of many fields', 'a=1&'.repeat(50_000), form),
  body('a type that is none', '{}', { 'content-type': 'foo' }),
  body('half a type', '{}', { 'content-type': 'application' }),
  body('a type of control signs', '{}', { 'content-type': 'application/json; charset="\t"' }),
  body(
    'an unfinished part',
    '--x\r\ncontent-disposition: form-data; name="model"\r\n\r\n',
    multipart,
  ),
  body(
    'many parts',
    '--x\r\ncontent-disposition: form-data; name="n"\r\n\r\n1\r\n'.repeat(5_000),
    multipart,
  ),
  body('parts without a boundary', '--x--', { 'content-type': 'multipart/form-data' }),
  body('a broken archive', 'no archive', { ...json, 'content-encoding': 'gzip' }),
  body('an unknown archive', '{}', { ...json, 'content-encoding': 'lzma' }),
  body('a small archive of brackets', gzipSync('['.repeat(16 * megabyte)), {
    ...json,
    'content-encoding': 'gzip',
  }),
  body('a small archive of nodes', gzipSync(`[${'{},'.repeat(4 * megabyte)}{}]`), {
    ...json,
    'content-encoding': 'gzip',
  }),
]

function keys(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')
}

/** For each parameter of a path. */
export const pathParts: readonly string[] = [
  '1',
  '-1',
  '0',
  '99999999999999999999',
  '1.5',
  '%00',
  '%ff',
  '..%2f..%2fetc',
  '__proto__',
  'constructor',
  "'%20OR%201=1",
  'x'.repeat(1_000),
]

/** For the parameters that lists, searches and reports read. */
export const queries: readonly string[] = [
  '',
  'p=-1&page_size=1e9&order=__proto__&sort=id;drop',
  'keyword=%00&username=%25_%5C&model_name=%ff&token_name=%00',
  'start_timestamp=1e308&end_timestamp=-1&type=99999999999&channel=x&group=__proto__',
  `keyword=${'a-'.repeat(2_000)}`,
  'p=1&p=2&page_size=5&page_size=6&keyword=a&keyword=b',
  'target_timestamp=0&id=1&ids=1,2&tag=constructor&status=x&id_sort=x&tag_mode=x',
]
