// Restricts what an external plugin writes to its own tables. It catches mistakes, not malice: the plugin's code runs in this process.

type Token = { word: string; isQuoted: boolean }

const wordPattern = /[\p{L}\p{N}_$]/u

/** Words, quoted names and marks. Comments are left out; a text becomes an empty mark. */
function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  const mark = (word: string) => tokens.push({ word, isQuoted: false })
  let at = 0
  while (at < sql.length) {
    const char = sql[at] ?? ''
    const next = sql[at + 1]
    if (char === '-' && next === '-') at = after(sql, '\n', at)
    else if (char === '/' && next === '*') at = after(sql, '*/', at + 2)
    else if (char === "'") {
      at = afterQuote(sql, "'", at)
      mark('')
    } else if (char === '"' || char === '`' || char === '[') {
      const end = afterQuote(sql, char === '[' ? ']' : char, at)
      tokens.push({ word: sql.slice(at + 1, end - 1), isQuoted: true })
      at = end
    } else if (char === '$' && dollarTag(sql, at) !== undefined) {
      const tag = dollarTag(sql, at) ?? ''
      at = after(sql, tag, at + tag.length)
      mark('')
    } else if (wordPattern.test(char)) {
      const start = at
      while (at < sql.length && wordPattern.test(sql[at] ?? '')) at += 1
      mark(sql.slice(start, at))
    } else {
      if (char.trim() !== '') mark(char)
      at += 1
    }
  }
  return tokens
}

function after(sql: string, end: string, from: number): number {
  const found = sql.indexOf(end, from)
  return found < 0 ? sql.length : found + end.length
}

/** A doubled quote is part of the text. */
function afterQuote(sql: string, quote: string, start: number): number {
  let at = start + 1
  while (at < sql.length) {
    if (sql[at] !== quote) at += 1
    else if (sql[at + 1] === quote) at += 2
    else return at + 1
  }
  return sql.length
}

/** `$$` or `$name$`, which begins a text in PostgreSQL. */
function dollarTag(sql: string, at: number): string | undefined {
  const end = sql.indexOf('$', at + 1)
  if (end < 0 || end - at > 64) return undefined
  const name = sql.slice(at + 1, end)
  return /^(?:[\p{L}_][\p{L}\p{N}_]*)?$/u.test(name) ? sql.slice(at, end + 1) : undefined
}

const verbs: ReadonlySet<string> = new Set([
  'select',
  'with',
  'values',
  'explain',
  'insert',
  'replace',
  'update',
  'delete',
  'create',
  'alter',
  'drop',
])
const schemaVerbs: ReadonlySet<string> = new Set(['create', 'alter', 'drop'])
const schemaKinds: ReadonlySet<string> = new Set(['table', 'index', 'view'])
/** Words that may stand between a verb and the name, besides the kind. */
const fillers: ReadonlySet<string> = new Set([
  'temp',
  'temporary',
  'unique',
  'if',
  'not',
  'exists',
  'or',
  'only',
  'concurrently',
  'replace',
  'rollback',
  'abort',
  'fail',
  'ignore',
  'materialized',
])

/** New tables must have exactly this prefix, by which they are found when the plugin is uninstalled.
 *  @throws Error for a statement that writes, creates, alters or drops anything without the prefix, or that plugins may
 *  not use */
export function refuseForeignWrites(sql: string, prefix: string): void {
  for (const statement of statementsOf(tokensOf(sql))) {
    const verb = lower(statement[0])
    if (!verbs.has(verb))
      throw new Error(`"${verb.slice(0, 40).toUpperCase()}" is no statement for a plugin`)
    const isMade = schemaVerbs.has(verb)
    for (const name of writtenNames(statement))
      if (!(isMade ? name : name.toLowerCase()).startsWith(prefix))
        throw new Error(
          `"${name.slice(0, 80)}" is not the plugin's to write: its tables begin with ${prefix}`,
        )
  }
}

function statementsOf(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]]
  for (const token of tokens) {
    if (token.word === ';' && !token.isQuoted) statements.push([])
    else statements.at(-1)?.push(token)
  }
  return statements.filter((statement) => statement.length > 0)
}

const lower = (token: Token | undefined): string =>
  token && !token.isQuoted ? token.word.toLowerCase() : ''

function* writtenNames(tokens: readonly Token[]): Generator<string> {
  for (const [at, token] of tokens.entries()) {
    const word = lower(token)
    const next = lower(tokens[at + 1])
    const before = lower(tokens[at - 1])
    // INSERT INTO, REPLACE INTO, MERGE INTO, SELECT … INTO.
    if (word === 'into') yield nameAt(tokens, at + 1)
    else if (word === 'delete' && next === 'from') yield nameAt(tokens, at + 2)
    else if (word === 'update' && writes(before, next)) yield nameAt(tokens, at + 1)
    else if (at === 0 && schemaVerbs.has(word)) yield* schemaNames(tokens)
  }
}

/** Not the UPDATE in ON CONFLICT DO UPDATE SET, FOR UPDATE, or a foreign key. */
function writes(before: string, next: string): boolean {
  return next !== 'set' && !['for', 'key', 'on'].includes(before)
}

/** The names in CREATE, ALTER and DROP, including the table of an index. */
function* schemaNames(tokens: readonly Token[]): Generator<string> {
  const kindAt = tokens.findIndex((token, at) => at > 0 && !fillers.has(lower(token)))
  const kind = lower(tokens[kindAt])
  if (!schemaKinds.has(kind)) throw new Error(`${kind.toUpperCase()} is not a plugin's to change`)
  const isNamed = !(kind === 'index' && lower(tokens[kindAt + 1]) === 'on')
  if (isNamed) yield nameAt(tokens, kindAt + 1)
  const onAt = tokens.findIndex((token) => lower(token) === 'on')
  if (kind === 'index' && lower(tokens[0]) === 'create' && onAt > 0) yield nameAt(tokens, onAt + 1)
  for (const [at, token] of tokens.entries())
    if (lower(token) === 'rename' && lower(tokens[at + 1]) === 'to') yield nameAt(tokens, at + 2)
  for (let at = kindAt + 2; lower(tokens[0]) === 'drop' && at < tokens.length; at += 1)
    if (tokens[at]?.word === ',') yield nameAt(tokens, at + 1)
}

/** The last part of `schema.name`. */
function nameAt(tokens: readonly Token[], from: number): string {
  let at = from
  while (fillers.has(lower(tokens[at]))) at += 1
  while (tokens[at + 1]?.word === '.') at += 2
  return tokens[at]?.word ?? ''
}
