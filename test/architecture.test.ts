// The import directions of the house (core/README.md), read from every source file.
import { globSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))

interface Source {
  file: string
  text: string
  imports: Import[]
}

interface Import {
  /** A path from the repository's root for relative imports, else the specifier. */
  target: string
  isOurs: boolean
  isTypeOnly: boolean
}

const sources: Source[] = globSync('{core,adapters,plugins,console,config}/**/*.{ts,tsx}', {
  cwd: repository,
  exclude: (path) => path.includes('dist') || path.includes('node_modules'),
})
  .filter((file) => !/\.(test|long\.test|bench)\.tsx?$/.test(file))
  .map((file) => {
    const text = readFileSync(join(repository, file), 'utf8')
    return { file, text, imports: importsOf(file, text) }
  })

function importsOf(file: string, text: string): Import[] {
  const pattern =
    /^\s*(?:import|export)(\s+type)?\b[^'"`;()]*?from\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm
  return [...text.matchAll(pattern)].map((match) => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? ''
    const isRelative = specifier.startsWith('.')
    return {
      target: isRelative ? normalize(join(dirname(file), specifier)) : specifier,
      isOurs: isRelative || specifier.startsWith('#'),
      isTypeOnly: match[1] !== undefined,
    }
  })
}

/** Imports of the chosen files that the rule does not allow, as `file -> target`. */
function wrongArrows(
  isMeant: (file: string) => boolean,
  isAllowed: (found: Import, file: string) => boolean,
): string[] {
  const meant = sources.filter(({ file }) => isMeant(file))
  // A folder that was renamed would keep every rule.
  expect(meant.length).toBeGreaterThan(0)
  return meant.flatMap(({ file, imports }) =>
    imports.filter((found) => !isAllowed(found, file)).map(({ target }) => `${file} -> ${target}`),
  )
}

const under = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
/** `plugins/users` of `plugins/users/routes.ts`. */
const ownFolder = (file: string) => file.split('/').slice(0, 2).join('/')
const isPluginConsole = (file: string) => /^plugins\/[^/]+\/console\//.test(file)
const isConsoleBuild = (file: string) => /^console\/(vite\.config|ensure-built|build\/)/.test(file)

describe('who may import whom', () => {
  it('finds the sources at all', () => {
    expect(sources.length).toBeGreaterThan(50)
  })

  it('core/contract imports nothing of ours but the types of rows, which tables state', () => {
    const isContract = under('core/contract')
    const allowed = ({ target, isOurs, isTypeOnly }: Import) =>
      !isOurs || isContract(target) || (isTypeOnly && under('core/data/models')(target))
    expect(wrongArrows(isContract, allowed)).toEqual([])
  })

  it('core/kernel imports npm, Node and the contract only', () => {
    const allowed = ({ target, isOurs }: Import) =>
      !isOurs || under('core/kernel')(target) || under('core/contract')(target)
    expect(wrongArrows(under('core/kernel'), allowed)).toEqual([])
  })

  it('nobody in core imports a door of core from inside', () => {
    const isDoor = ({ target }: Import) =>
      target.startsWith('#') || target === 'core/index.ts' || target === 'core/adapter-kit/index.ts'
    expect(wrongArrows(under('core'), (found) => !isDoor(found))).toEqual([])
  })

  it('core imports core only, and configuration.ts alone imports config', () => {
    const allowed = ({ target, isOurs }: Import, file: string) =>
      !isOurs ||
      under('core')(target) ||
      (file === 'core/app/configuration.ts' && under('config')(target)) ||
      target === 'package.json'
    expect(wrongArrows(under('core'), allowed)).toEqual([])
  })

  it('a command that needs no gateway does not load main.ts, and with it all of core', () => {
    const makesGateway = /\b(?:assemble|startGateway|main)\(/
    const commands = sources.filter(({ file }) => under('core/cli')(file))
    const loading = commands.filter(({ imports }) =>
      imports.some(({ target }) => target === 'core/main.ts'),
    )
    expect(loading.length).toBeGreaterThan(0)
    expect(loading.filter(({ text }) => !makesGateway.test(text))).toEqual([])
  })

  it('an adapter imports #core, #adapter-kit and its own files', () => {
    const allowed = ({ target, isOurs }: Import, file: string) =>
      !isOurs || target === '#core' || target === '#adapter-kit' || under(ownFolder(file))(target)
    expect(wrongArrows(under('adapters'), allowed)).toEqual([])
  })

  it('the server part of a plugin imports #core and its own server files', () => {
    const isServer = (file: string) => under('plugins')(file) && !isPluginConsole(file)
    const allowed = ({ target, isOurs }: Import, file: string) =>
      !isOurs || target === '#core' || (under(ownFolder(file))(target) && !isPluginConsole(target))
    expect(wrongArrows(isServer, allowed)).toEqual([])
  })

  it('the console part of a plugin imports #console, its own files and its schema', () => {
    const allowed = ({ target, isOurs }: Import, file: string) =>
      !isOurs ||
      target === '#console' ||
      under(`${ownFolder(file)}/console`)(target) ||
      under(`${ownFolder(file)}/locales`)(target) ||
      target === `${ownFolder(file)}/schema.ts`
    expect(wrongArrows(isPluginConsole, allowed)).toEqual([])
  })

  it('the console imports its own files, npm packages and what it shares with the gateway', () => {
    const isScreenCode = (file: string) => under('console')(file) && !isConsoleBuild(file)
    const allowed = ({ target, isOurs, isTypeOnly }: Import) =>
      isOurs
        ? under('console')(target) ||
          target === '#console' ||
          target === 'core/contract/constants.ts' ||
          target === 'core/contract/json.ts' ||
          target === 'core/contract/known-device.ts' ||
          target === 'core/contract/natural-order.ts' ||
          (isTypeOnly && target === '#core')
        : !target.startsWith('node:')
    expect(wrongArrows(isScreenCode, allowed)).toEqual([])
  })

  it('config imports the types of #core and its own files', () => {
    const allowed = ({ target, isOurs, isTypeOnly }: Import) =>
      !isOurs || under('config')(target) || (target === '#core' && isTypeOnly)
    expect(wrongArrows(under('config'), allowed)).toEqual([])
  })

  it("a plugin's schema imports TypeBox and types only", () => {
    const isSchema = (file: string) => /^plugins\/[^/]+\/schema\.ts$/.test(file)
    const allowed = ({ target, isTypeOnly }: Import) => isTypeOnly || target === '@sinclair/typebox'
    expect(wrongArrows(isSchema, allowed)).toEqual([])
  })
})

describe('what only core may touch', () => {
  const guarded = [
    'sequelize',
    'sqlite3',
    'pg',
    'undici',
    'ws',
    'node:http',
    'node:https',
    'node:net',
    'node:sqlite',
  ]
  const isExtension = (file: string) => under('plugins')(file) || under('adapters')(file)

  it('plugins and adapters reach database and network through #core', () => {
    const allowed = ({ target, isTypeOnly }: Import) => isTypeOnly || !guarded.includes(target)
    expect(wrongArrows(isExtension, allowed)).toEqual([])
    const fetches = sources.filter(
      ({ file, text }) =>
        isExtension(file) && !isPluginConsole(file) && /(?<![.\w])fetch\(/.test(text),
    )
    expect(
      fetches.filter(({ text }) => !/[{,]\s*fetch\b/.test(text)).map(({ file }) => file),
    ).toEqual([])
  })

  it('traces and their packages are imported by main alone, and only when they are on', () => {
    const isElsewhere = (file: string) => !under('core/observability/traces')(file)
    const isTrace = (target: string) =>
      target.startsWith('@opentelemetry') || under('core/observability/traces')(target)
    const found = wrongArrows(isElsewhere, ({ target }) => !isTrace(target))
    expect(found).toEqual(['core/main.ts -> core/observability/traces/open-traces.ts'])
    const main = sources.find(({ file }) => file === 'core/main.ts')?.text
    expect(main).toMatch(/await import\('\.\/observability\/traces\/open-traces\.ts'\)/)
  })

  it('only config reads the environment', () => {
    const readers = sources.filter(
      ({ file, text }) =>
        !under('config')(file) && !isConsoleBuild(file) && text.includes('process.env'),
    )
    expect(readers.map(({ file }) => file)).toEqual([])
  })
})

describe('the place of a file', () => {
  it('is not the path of its address, where a space is %20', () => {
    const files = globSync('{core,adapters,plugins,console,config,test}/**/*.{ts,tsx,js}', {
      cwd: repository,
      exclude: (path) => path.includes('dist') || path.includes('node_modules'),
    })
    const wrong = /import\.meta\.url\)\s*\.pathname/
    const found = files.filter((file) => wrong.test(readFileSync(join(repository, file), 'utf8')))
    expect(found).toEqual([])
  })
})

describe('raw SQL', () => {
  const statement =
    /\bselect\s+(?:1\b|pg_|[^;]{1,600}?\sfrom\s)|\binsert\s+into\s|\bupdate\s+(?:\$\{[^}]+\}|[\w".]+)\s+set\s|\bdelete\s+from\s|\bwith\s+\w+\s+(?:\([^)]*\)\s+)?as\s*\(/i
  const comments = /^\s*(?:\/\/|\/?\*).*$/gm
  const hasStatement = (text: string) => statement.test(text.replaceAll(comments, ''))
  /** Files that say so by their names, migrations, and the layer that runs statements. */
  const mayHold = (file: string) =>
    /-(?:sql|report)\.ts$/.test(file) ||
    /^core\/data\/(?:migrations\/(?:[\d.]+\/)?)?[^/]+$/.test(file) ||
    /^plugins\/[^/]+\/migrations\.ts$/.test(file)
  const isServer = (file: string) =>
    ['core', 'plugins', 'adapters', 'config'].some((folder) => under(folder)(file)) &&
    !isPluginConsole(file)

  it.each([
    "'SELECT 1'",
    '`SELECT "id" FROM ${table}`',
    "'delete from t where a'",
    '`UPDATE ${name} SET a = 1`',
    '`with spent (id) AS (VALUES 1)`',
    '`\nINSERT INTO a (b)`',
  ])('is seen in %s', (text) => {
    expect(hasStatement(text)).toBe(true)
  })

  it.each(["'Select a channel.'", "'an update sets it'", '// SELECT 1 FROM a', "'with a as b'"])(
    'is not seen in %s',
    (text) => {
      expect(hasStatement(text)).toBe(false)
    },
  )

  it('stands only in files called -sql or -report', () => {
    const found = sources.filter(
      ({ file, text }) => isServer(file) && !mayHold(file) && hasStatement(text),
    )
    expect(found.map(({ file }) => file)).toEqual([])
  })
})

describe('names', () => {
  it('what a number of a row means is said by its name (core/contract/constants.ts)', () => {
    const naked = [
      // role >= 10, user.status === 1
      /\b(?:role|minRole|userRole|userStatus|tokenStatus|status|type)\s*(?:[=!]==|>=|<=|<|>)\s*(?:[1-5]|10|100)\b(?![\w.])/i,
      // { role: 100 }, status: 1 | 3, role ?? 1
      /\b(?:role|userRole|userStatus|status)\b(?::| \?\?) (?:[1-5]|10|100)\b(?=\s*(?:[,})|;]|$))/,
      // A row of the log.
      /^\s*(?:logs?\.write\(\{.*)?\btype: [1-5],$/,
      // const ADMIN_ROLE = 10
      /\bconst \w*(?:role|status|SUPER|ADMIN)\w*(?:: number)? = (?:[1-5]|10|100)$/i,
    ]
    /** Numbers of others that stand under the same words. */
    const others = new Set([
      // A channel's type is its provider's number; 1 is what a new one begins with.
      'plugins/channels/console/form/channel-form.ts',
      // The address type of an option of `socks`: SOCKS version 5.
      'core/net/proxy-tunnel.ts',
    ])
    const isMeant = ({ file }: Source) =>
      /^(core|plugins|console)\//.test(file) &&
      file !== 'core/contract/constants.ts' &&
      !others.has(file)
    const found = sources.filter(isMeant).flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, index) => {
        const isComment = /^\s*(?:\/?\*|\/\/)/.test(line)
        return !isComment && naked.some((pattern) => pattern.test(line))
          ? [`${file}:${index + 1} ${line.trim()}`]
          : []
      }),
    )
    expect(found).toEqual([])
  })

  it('no file is called utils, helpers, common or misc', () => {
    const vague = sources.filter(({ file }) =>
      /\/(utils?|helpers?|common|misc)(\.tsx?$|\/)/.test(file),
    )
    expect(vague.map(({ file }) => file)).toEqual([])
  })

  it('core names no provider and no plugin', () => {
    const naming = sources
      .filter(({ file }) => under('core')(file))
      .flatMap(({ file, text }) => {
        const words = new Set(
          withoutComments(text)
            .toLowerCase()
            .match(/[a-z][a-z\d]*(?:-[a-z\d]+)*/g),
        )
        // A name of two words stands as it is, or as one word in a name of ours.
        const isNamed = (name: string) => words.has(name) || words.has(name.replaceAll('-', ''))
        return vendorNames()
          .filter((name) => isNamed(name) && !mayName[file]?.includes(name))
          .map((name) => `${file} names ${name}`)
      })
    expect(naming).toEqual([])
  })

  it('what may name a provider in core still does', () => {
    const idle = Object.entries(mayName).flatMap(([file, names]) => {
      const text = sources.find((source) => source.file === file)?.text.toLowerCase() ?? ''
      return names.filter((name) => !text.includes(name)).map((name) => `${file}: ${name}`)
    })
    expect(idle).toEqual([])
  })
})

/** Adapters, plugins and ways to sign in. */
function vendorNames(): string[] {
  // Whose chat format core serves as a dialect.
  const dialectOwners = ['openai', 'anthropic', 'gemini']
  // Ids that are words of the field, or plain words.
  const plainWords = [
    'custom',
    'users',
    'tokens',
    'channels',
    'logs',
    'setup',
    'personal',
    'settings',
    'home',
    'tasks',
    'plugins',
    'pricing',
    'model-prices',
    'dashboard',
    'drawing',
    'mail',
    'redemptions',
    'invites',
    'webhook',
    'monitor',
    'wallet',
    'playground',
    'rate-limit',
    'sensitive-words',
    'budgets',
    'capture',
    'response-cache',
    'together',
    'password',
  ]
  const names = [...foldersIn('adapters'), ...foldersIn('plugins')].map((id) =>
    id.replace(/^auth-/, ''),
  )
  return names.filter((name) => !dialectOwners.includes(name) && !plainWords.includes(name))
}

const wireFields = ['github', 'oidc', 'linuxdo', 'telegram', 'wechat']
const keyPrefixes = ['jina', 'xai']

/** Where core does name one, each with its reason. */
const mayName: Readonly<Record<string, readonly string[]>> = {
  // Keys are recognised by how they begin, also those that an upstream quotes of another one.
  'core/secrets/redact.ts': keyPrefixes,
  'core/upstream-failures/mask-message.ts': keyPrefixes,
  // The address of its tasks is part of the gateway's own interface; unknown paths below it are JSON.
  'core/http/unserved-paths.ts': ['suno'],
  // Models by the beginning of their names, which answer no chat call.
  'core/channels/upstream/test-call.ts': ['suno'],
  // A field of streamed answers that clients of that provider's dialect send back.
  'core/dialects/openai-chat/usage.ts': ['groq'],
  // Fields of the wire's user and status records, older than the table of identities.
  'core/http/status-routes.ts': [...wireFields, 'turnstile'],
  // The query parameter of the wire by which any bot check gets its token.
  'core/http/access/bot-checks.ts': ['turnstile'],
  'core/data/models/user-identity.ts': wireFields,
  // What has been done to databases stays as it was.
  'core/data/migrations/0.1.0/0001-start.ts': ['github', 'oidc', 'telegram', 'wechat'],
  'core/data/migrations/0007-user-identities.ts': wireFields,
}

/** Addresses keep their slashes: a comment begins after white space. */
function withoutComments(text: string): string {
  return text.replaceAll(/(?<=^|\s)\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '')
}

function foldersIn(folder: string): string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}
