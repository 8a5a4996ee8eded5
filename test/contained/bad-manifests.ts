// Plugins whose module, manifest, options or migrations are wrong.
import { module, plugin, type PluginFolder } from './plugin-folders.ts'

export interface BadPlugin {
  folder: PluginFolder
  /** In the sentence that the admin reads. */
  says: RegExp
}

const bad = (folder: PluginFolder, says: RegExp): BadPlugin => ({ folder, says })
const option = (id: string, key: string, schema: string) =>
  plugin(id, `options: defineOptions({ ${key}: ${schema} })`)
const step = (id: string, body: string) =>
  plugin(id, `migrations: [{ id: '${id}-0001-start', up: async ({ run, prefix }) => { ${body} } }]`)

export const badModules: readonly BadPlugin[] = [
  bad(module('m-throws', `throw new Error('out of order')`), /code cannot be loaded: out of order/),
  bad(module('m-null', `throw null`), /code cannot be loaded: null/),
  bad(
    module('m-odd', `throw { get message() { throw new Error('x') }, toString() { throw 1 } }`),
    /code cannot be loaded: something that has no text/,
  ),
  bad(module('m-syntax', `export default {{{`), /code cannot be loaded/),
  bad(
    module('m-missing', `import './nowhere.ts'; export default 1`),
    /code cannot be loaded: Cannot find/,
  ),
  bad(
    module('m-hangs', `await new Promise(() => undefined); export default 1`),
    /import took longer/,
  ),
  bad(module('m-empty', `export const nothing = 1`), /manifest is not valid: the default export/),
  bad(module('m-number', `export default 5`), /manifest is not valid: the default export/),
  bad(
    module('m-proxy', `export default new Proxy({}, { ownKeys() { throw new Error('no keys') } })`),
    /manifest is not valid: no keys/,
  ),
  bad(
    plugin(
      'm-rejects',
      `summary: { en: 'a', zh: 'b' }`,
      `void Promise.reject(new Error('floating'))`,
    ),
    /failed promise behind while it loaded: floating/,
  ),
]

const adapter = (id: string, type: number, operations: string) =>
  module(
    id,
    `import { defineAdapter } from 'tollgate'
export default defineAdapter({ id: '${id}', channelTypes: { ${type}: 'K' }, baseUrl: '', models: [], summary: '', operations: { ${operations} } as any })`,
  )

export const badManifests: readonly BadPlugin[] = [
  bad(plugin('k-unknown', `colour: 'red'`), /key "colour" is not known/),
  bad(
    module(
      'k-id',
      `import { definePlugin } from 'tollgate'\nexport default definePlugin({ id: 'other' })`,
    ),
    /key "id" is "other"/,
  ),
  bad(adapter('k-chat', 300_101, `chat: { send() {} }`), /"operations.chat" lacks dialects and/),
  bad(adapter('k-speech', 300_102, `'audio.speech': true`), /"operations.audio.speech" lacks endp/),
  bad(plugin('k-version', `version: 'newest'`), /key "version" is "newest"/),
  bad(
    module('k-range', `export default { kind: 'plugin', id: 'k-range', contract: '^9.0' }`),
    /asks for \^9\.0/,
  ),
  bad(
    module('k-words', `export default { kind: 'plugin', id: 'k-words', contract: 'banana' }`),
    /key "contract" is "banana", which is no range such as/,
  ),
  bad(
    module('k-none', `export default { kind: 'plugin', id: 'k-none', contract: '' }`),
    /key "contract" is "", which is no range/,
  ),
  bad(plugin('k-server', `server: 'yes'`), /key "server" must be of type function/),
  bad(plugin('k-huge', `summary: { en: 'x'.repeat(5_000_000), zh: '' }`), /too large/),
  bad(
    plugin(
      'k-many',
      `options: { schema: { type: 'object', properties: Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => ['K' + n, { type: 'string' }])) } }`,
    ),
    /too large/,
  ),
  bad(
    plugin('k-cycle', `origins: round`, `const round: any = {}; round.image = [round]`),
    /holds itself/,
  ),
  bad(
    module(
      'k-getter',
      `export default { kind: 'plugin', id: 'k-getter', get summary() { throw new Error('not today') } }`,
    ),
    /key "summary" cannot be read: not today/,
  ),
  bad(plugin('k-summary', `summary: { en: 5, zh: [] } as any`), /key "summary" needs the texts/),
  bad(plugin('k-requires', `requires: [1] as any`), /key "requires" holds/),
  bad(plugin('k-needs', `requires: ['nobody']`), /requires "nobody", which is not on\. Switch on/),
  bad(plugin('k-round-a', `requires: ['k-round-b']`), /k-round-b/),
  bad(plugin('k-round-b', `requires: ['k-round-c']`), /k-round-c/),
  // All three are known by its turn: to switch on what it needs first would never end.
  bad(
    plugin('k-round-c', `requires: ['k-round-a']`),
    /form a cycle: k-round-c → k-round-a → k-round-b → k-round-c/,
  ),
  bad(plugin('k-self', `requires: ['k-self']`), /form a cycle: k-self → k-self/),
  bad(
    plugin('k-header', `origins: { script: ["https://a.example; script-src *"] }`),
    /key "origins.script" holds/,
  ),
  bad(
    plugin('k-line', `origins: { frame: ["https://a.example\\r\\nx-own: 1"] }`),
    /key "origins.frame" holds/,
  ),
  bad(plugin('k-kind', `origins: { style: [] } as any`), /key "origins.style" is not known/),
  bad(plugin('k-path', `consoleModule: '../../secret.js'`), /key "consoleModule" is/),
  bad(plugin('k-command', `cliCommands: [null] as any`), /key "cliCommands" holds/),
  bad(
    plugin('k-steps', `migrations: [{ id: 'start', up: async () => {} }]`),
    /key "migrations" holds "start"/,
  ),
]

export const badOptions: readonly BadPlugin[] = [
  bad(
    option('o-core', 'SystemName', `Type.String({ default: 'mine' })`),
    /option "SystemName" belongs to "core"/,
  ),
  bad(
    option('o-other', 'SensitiveWords', `Type.String({ default: '' })`),
    /belongs to "sensitive-words"/,
  ),
  bad(
    plugin('o-shape', `options: { schema: 5 } as any`),
    /key "options" is not what defineOptions/,
  ),
  bad(
    plugin(
      'o-null',
      `options: { schema: { type: 'object', properties: { Odd: null } }, preconditions: [] } as any`,
    ),
    /option "Odd" has no schema/,
  ),
  bad(
    option('o-name', `'bad name!'`, `Type.String({ default: '' })`),
    /option "bad name!" has a name/,
  ),
  bad(
    option('o-default', 'ODefault', `Type.Integer({ default: 'many' as any })`),
    /"ODefault" has a default that/,
  ),
  bad(option('o-none', 'ONone', `Type.Integer()`), /"ONone" has no default/),
  bad(
    option('o-ui', 'OUi', `Type.String({ default: '', 'x-ui': { widget: 'hologram' } })`),
    /"x-ui.widget" that is not right/,
  ),
  bad(
    option('o-word', 'OWord', `Type.String({ default: '', 'x-ui': { colour: 'red' } })`),
    /says "x-ui.colour"/,
  ),
  bad(
    option('o-plain', 'OPlain', `{ type: 'string', default: '' } as any`),
    /"OPlain" has a schema that cannot be used/,
  ),
  bad(
    plugin(
      'o-cycle',
      `options: defineOptions({ OCycle: round })`,
      `const round: any = Type.Object({}, { default: {} }); round.properties.self = round`,
    ),
    /holds itself/,
  ),
  bad(
    plugin(
      'o-rule',
      `options: defineOptions({ ORule: Type.String({ default: '' }) }, { preconditions: [5] as any })`,
    ),
    /preconditions/,
  ),
]

export const badMigrations: readonly BadPlugin[] = [
  bad(
    step('s-throws', `throw new Error('no table today')`),
    /tables could not be brought up to date: no table today/,
  ),
  bad(
    step(
      's-half',
      `await run('CREATE TABLE ' + prefix + 'left (id INTEGER)'); throw new Error('half done')`,
    ),
    /half done/,
  ),
  bad(
    step(
      's-hangs',
      `await run('CREATE TABLE ' + prefix + 'left (id INTEGER)'); await new Promise(() => undefined)`,
    ),
    /asked nothing of the database for/,
  ),
  bad(step('s-foreign', `await run('DROP TABLE users')`), /"users" is not the plugin's to write/),
  bad(
    step(
      's-commits',
      `await run('CREATE TABLE ' + prefix + 'left (id INTEGER)'); await run('COMMIT'); throw new Error('late')`,
    ),
    /"COMMIT" is no statement/,
  ),
  bad(
    step(
      's-swallows',
      `await run('CREATE TABLE ' + prefix + 'left (id INTEGER)'); await run('INSERT INTO ' + prefix + 'left VALUES (1, 2, 3)')`,
    ),
    /tables could not be brought/,
  ),
]
