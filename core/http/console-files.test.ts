// What generations serve of the built console, one after the other.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConsole, registerConsole } from './console-files.ts'

let root: string
const apps: FastifyInstance[] = []

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tollgate-console-'))
})
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
  await rm(root, { recursive: true, force: true })
})

async function generation(): Promise<FastifyInstance> {
  const app = fastify()
  apps.push(app)
  registerConsole(app, readConsole(root, []), () => '<Ada & sons>')
  app.setNotFoundHandler((request, reply) => reply.code(404).send(request.url))
  app.decorateReply('callNotFound', function callNotFound() {
    return this.code(404).send('')
  })
  app.get('/', (request, reply) => app.sendConsole(request, reply))
  await app.ready()
  return app
}

const builtPage = '<title>Built</title><span class="site-name">Built</span><p>A console</p>'
const dist = () => join(root, 'console/dist')

async function build(): Promise<void> {
  await mkdir(join(dist(), 'assets'), { recursive: true })
  await writeFile(join(dist(), 'index.html'), builtPage)
  await writeFile(join(dist(), 'assets/main.js'), 'export {}')
}

const page = async (app: FastifyInstance) => (await app.inject('/')).body

it('says that there is none, until there is one', async () => {
  expect(await page(await generation())).toContain('npm run build')
  await build()
  const app = await generation()
  expect(await page(app)).toContain('A console')
  expect((await app.inject('/assets/main.js')).body).toBe('export {}')
})

it('goes on as it was in a generation that begins while another is being built', async () => {
  await build()
  await generation()
  // A build begins by emptying the folder.
  await rm(dist(), { recursive: true })
  const app = await generation()
  expect(await page(app)).toContain('A console')
  await build()
  expect((await app.inject('/assets/main.js')).body).toBe('export {}')
})

it('names the site in the title and in what stands there before the first script', async () => {
  await build()
  const html = await page(await generation())
  expect(html).toContain('<title>&lt;Ada &amp; sons&gt;</title>')
  expect(html).toContain('<span class="site-name">&lt;Ada &amp; sons&gt;</span>')
})
