// Plugins whose server part, registry entries or routes are wrong.
import type { BadPlugin } from './bad-manifests.ts'
import { type PluginFolder, plugin, routing, serving } from './plugin-folders.ts'

const bad = (folder: PluginFolder, says: RegExp): BadPlugin => ({ folder, says })

export const badServers: readonly BadPlugin[] = [
  bad(
    plugin('x-throws', `server() { throw new Error('no server') }`),
    /server part failed: no server/,
  ),
  bad(
    serving('x-rejects', `await Promise.reject(new TypeError('rejected'))`),
    /server part failed: rejected/,
  ),
  bad(serving('x-hangs', `await new Promise(() => undefined)`), /server\(\) took longer/),
  bad(
    serving('x-floats', `void Promise.reject(new Error('left alone'))`),
    /failed promise behind while it loaded: left alone/,
  ),
  bad(serving('x-undefined', `services.nothing.of()`), /server part failed: Cannot read/),
]

export const badEntries: readonly BadPlugin[] = [
  bad(
    serving('e-nothing', `services.jobs.add(undefined as any)`),
    /a job was added that is no object/,
  ),
  bad(
    serving('e-id', `services.notifiers.add({ send() {} } as any)`),
    /a notifier was added without an id/,
  ),
  bad(
    serving('e-job', `services.jobs.add({ id: 'j', everyMs: 'often', run() {} } as any)`),
    /job "j" has no sound "everyMs"/,
  ),
  bad(
    serving(
      'e-hook',
      `services.relayHooks.add({ id: 'h', stage: 'relay.never', onFailure: 'open', run() {} } as any)`,
    ),
    /relay hook "h" has no sound "stage"/,
  ),
  bad(
    serving(
      'e-cache',
      `services.responseCaches.add({ id: 'c', scope: 'user', priceShare: 2 } as any)`,
    ),
    /response cache "c" has no sound "priceShare"/,
  ),
  bad(
    serving(
      'e-dialect',
      `const say = () => ({}); services.dialects.add({ id: 'e-dialect', routes: [{ path: '/v1/chat/completions' }], parseRequest: say, writeAnswer: say, streamWriter: say, writeError: say, streamError: say } as any)`,
    ),
    /dialect "e-dialect" has the route \/v1\/chat\/completions, which must begin with \/e-dialect\//,
  ),
  bad(
    serving('e-policy', `services.routingPolicies.add({ id: 'p', applies: () => true } as any)`),
    /routing policy "p" has no sound "choose"/,
  ),
  bad(
    serving('e-status', `services.statusFields.add({ id: 'version', value: () => '9' })`),
    /status field "version" has no sound "id"/,
  ),
  bad(
    serving('e-taken', `services.statusFields.add({ id: 'setup', value: () => false })`),
    /"setup" comes from "e-taken", but "setup" has it already/,
  ),
  bad(
    serving('e-check', `services.botChecks.add({ id: 'b' } as any)`),
    /bot check "b" has no sound "isEnabled"/,
  ),
  bad(
    serving('e-limiter', `services.rateLimiters.add({ id: 'l', admit: 5 } as any)`),
    /rate limiter "l" has no sound "admit"/,
  ),
  bad(
    serving('e-sink', `services.logSinks.add({ id: 's' } as any)`),
    /log sink "s" has no sound "write"/,
  ),
  bad(
    serving('e-platform', `services.taskPlatforms.add({ id: 't', routes: 'all' } as any)`),
    /task platform "t" has no sound "routes"/,
  ),
  bad(
    serving(
      'e-poll',
      `const none = () => ({}); services.taskPlatforms.add({ id: 'p', routes: [], writeError: none, defaultPrice: none, send: none, readAnswer: none, show: none, poll: {} } as any)`,
    ),
    /task platform "p" has no sound "poll"/,
  ),
  bad(
    serving(
      'e-sign-in',
      `services.authProviders.add({ id: 'a', kind: 'redirect', name: 'A', isEnabled: () => true, identify() {} } as any)`,
    ),
    /auth provider "a" has no sound "name"/,
  ),
  bad(
    serving(
      'e-way',
      `services.authProviders.add({ id: 'w', kind: 'redirect', name: { en: 'W', zh: 'W' }, isEnabled: () => true, identify() {} } as any)`,
    ),
    /auth provider "w" has no sound "authorizeUrl"/,
  ),
  bad(
    serving('e-pay', `services.paymentProviders.add({ id: 'p', methods: () => [] } as any)`),
    /payment provider "p" has no sound/,
  ),
  bad(serving('e-error', `services.errors.sendAs(5 as any, 200)`), /sendAs\(\) takes/),
  bad(serving('e-routes', `services.routes.add({} as any)`), /routes\.add\(\) takes a function/),
]

const open = `{ config: { access: 'public' } }`
const answer = `() => envelope()`

export const badRoutes: readonly BadPlugin[] = [
  bad(routing('r-throws', `throw new Error('no routes')`), /routes cannot be added: no routes/),
  bad(
    routing('r-nested', `app.register(async () => { throw new Error('deep') })`),
    /routes cannot be added: deep/,
  ),
  bad(
    routing('r-hangs', `await new Promise(() => undefined)`),
    /registration of routes took longer/,
  ),
  bad(
    routing('r-hangs-within', `app.register(() => new Promise(() => undefined))`),
    /registration of routes took longer/,
  ),
  bad(
    routing('r-ready', `app.addHook('onReady', async () => { throw new Error('never ready') })`),
    /never ready/,
  ),
  bad(
    routing(
      'r-waits',
      `app.addHook('onReady', async () => { await new Promise(() => undefined) })`,
    ),
    /onReady took longer/,
  ),
  bad(
    routing(
      'r-schema',
      `app.post('/api/r-schema', { config: { access: 'user' }, schema: { body: { type: 'nope' } } }, ${answer})`,
    ),
    /routes cannot be added: .*\/api\/r-schema/,
  ),
  bad(
    routing(
      'r-answer',
      `app.get('/api/r-answer', { config: { access: 'user' }, schema: { response: { 200: { type: 'object', properties: { a: { $ref: 'nowhere#' } } } } } }, ${answer})`,
    ),
    /routes cannot be added: .*\/api\/r-answer/,
  ),
  bad(routing('r-closes', `app.close()`), /routes cannot be added: the life of the app/),
  bad(
    routing('r-missing', `app.setNotFoundHandler(() => 'mine')`),
    /routes cannot be added: Not found handler/,
  ),
  bad(
    routing(
      'r-many',
      `for (let number = 0; number <= 1000; number += 1) app.get('/api/r-many/' + number, ${open}, ${answer})`,
    ),
    /more than 1000 of them/,
  ),
  bad(routing('r-closed', `app.get('/api/r-closed', ${answer})`), /does not state its access/),
  bad(
    routing(
      'r-level',
      `app.get('/hooks/r-level', { config: { access: 'everybody' as any } }, ${answer})`,
    ),
    /does not state its access/,
  ),
  bad(
    routing('r-status', `app.get('/api/status', ${open}, ${answer})`),
    /GET \/api\/status would answer for \/api\/status of "core"/,
  ),
  bad(
    routing(
      'r-version',
      `app.get('/api/status', { constraints: { version: '1.0.0' }, config: { access: 'public' } }, ${answer})`,
    ),
    /would answer for \/api\/status/,
  ),
  bad(
    routing('r-login', `app.get('/login', ${open}, ${answer})`),
    /GET \/login would take the place of the console's page/,
  ),
  bad(
    routing('r-page', `app.get('/user/edit/:id', ${open}, ${answer})`),
    /would take the place of the console's page/,
  ),
  bad(
    routing('r-plugin', `app.get('/api/pricing', ${open}, ${answer})`),
    /would answer for \/api\/pricing of "pricing"/,
  ),
  bad(
    routing('r-pattern', `app.get('/api/user/:x(^.*$)', ${open}, ${answer})`),
    /would answer for \/api\/user/,
  ),
  bad(
    routing('r-below', `app.get('/api/plugin/mine', ${open}, ${answer})`),
    /would answer for \/api\/plugin\/:id of "core"/,
  ),
  bad(routing('r-rest', `app.get('/api/*', ${open}, ${answer})`), /would answer for/),
  bad(routing('r-all', `app.get('/*', ${open}, ${answer})`), /must begin with a fixed name/),
  bad(
    routing('r-open', `app.get('/:anything', ${open}, ${answer})`),
    /must begin with a fixed name/,
  ),
  bad(
    routing('r-relay', `app.post('/v1/chat/completions', ${open}, ${answer})`),
    /would answer for \/v1\/chat\/completions/,
  ),
]

/** Folders whose names rule them out. */
export const badFolders: readonly BadPlugin[] = [
  bad(
    { id: 'Bad Name', files: { 'index.ts': 'export default 1' } },
    /its folder cannot be a plugin/i,
  ),
  bad({ id: 'core', files: { 'index.ts': 'export default 1' } }, /name of the gateway itself/),
  bad(
    { id: 'pricing', files: { 'index.ts': 'export default 1' } },
    /another plugin of this name was found first/i,
  ),
]
