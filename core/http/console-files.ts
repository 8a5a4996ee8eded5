import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Plugin } from '../contract/plugin.ts'

interface BuiltConsole {
  html: string
  folder: string
  /** Without the page itself, hidden files and compressed copies. */
  names: ReadonlySet<string>
}

export interface ConsoleFiles extends BuiltConsole {
  policy: string
}

const missingPage =
  '<!doctype html><title>Tollgate</title><p>The console has not been built. Run <code>npm run build</code>.</p>'

/** By the folder of the repository. */
const known = new Map<string, BuiltConsole>()

/** The built console, with a content security policy that fits the plugins that are on. */
export function readConsole(root: string, plugins: readonly Plugin[]): ConsoleFiles {
  const built = known.get(root) ?? readBuilt(root)
  return { ...built, policy: contentPolicy(built.html, plugins) }
}

/** Read once per process. A build empties the folder first, and a generation that starts meanwhile must neither fail
 *  nor lose its console. After the restart for a new server version, the new console is read. */
function readBuilt(root: string): BuiltConsole {
  const folder = join(root, 'console/dist')
  const file = join(folder, 'index.html')
  if (!existsSync(file)) return { html: missingPage, folder, names: new Set() }
  const built = { html: readFileSync(file, 'utf8'), folder, names: namesIn(folder) }
  known.set(root, built)
  return built
}

function contentPolicy(html: string, plugins: readonly Plugin[]): string {
  const from = (kind: 'script' | 'frame' | 'connect' | 'image') =>
    plugins.flatMap((plugin) => plugin.origins?.[kind] ?? [])
  return [
    "default-src 'self'",
    `script-src 'self' ${[...inlineHashes(html), ...from('script')].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: https: ${from('image').join(' ')}`,
    `connect-src 'self' ${from('connect').join(' ')}`,
    `frame-src 'self' https: ${from('frame').join(' ')}`,
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'self'",
    // The payment form leads to a gateway that an admin has set; some have no TLS.
    "form-action 'self' https: http:",
    "frame-ancestors 'self'",
  ].join('; ')
}

/** Inline scripts of the built page (the import map, the first paint of the theme) are allowed by their hash. */
function inlineHashes(html: string): string[] {
  const [, ...scripts] = html.split('<script')
  return scripts
    .map((script) => {
      const start = script.indexOf('>') + 1
      return { attributes: script.slice(0, start), text: script.slice(start).split('</script>', 1) }
    })
    .filter(({ attributes }) => !/\bsrc=/.test(attributes))
    .map(({ text: [text = ''] }) => createHash('sha256').update(text).digest('base64'))
    .map((hash) => `'sha256-${hash}'`)
}

export function registerConsole(
  app: FastifyInstance,
  files: ConsoleFiles,
  title: () => string,
): void {
  const page = (_request: FastifyRequest, reply: FastifyReply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', files.policy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'same-origin')
      .send(named(files.html, title()))

  if (files.names.size > 0) serveFiles(app, files)
  app.decorate('sendConsole', page)
}

/** The page with the name of the site in its title and in the bar that stands there before the first script. */
function named(html: string, name: string): string {
  return html.replace(
    /(<title>|<span class="site-name">)[^<]*/g,
    (_, tag: string) => `${tag}${escapeHtml(name)}`,
  )
}

/** One route per folder: one per file would cost each generation hundreds of routes. */
function serveFiles(app: FastifyInstance, { folder, names }: BuiltConsole): void {
  void app.register(fastifyStatic, {
    root: folder,
    serve: false,
    index: false,
    // The copies that the build made.
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('x-content-type-options', 'nosniff')
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  for (const place of new Set([...names].map((name) => name.replace(/\/.*/, '/*')))) {
    app.route<{ Params: { '*'?: string } }>({
      method: ['GET', 'HEAD'],
      url: `/${place}`,
      handler: ({ params }, reply) => {
        const name = place.replace('*', params['*'] ?? '')
        return names.has(name) ? reply.sendFile(name) : reply.callNotFound()
      },
    })
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
  const names = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
  const isHidden = (name: string) => /(?:^|\/)\.|\.(?:br|gz)$/.test(name)
  return new Set(names.filter((name) => name !== 'index.html' && !isHidden(name)))
}

function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign,
  )
}

declare module 'fastify' {
  interface FastifyInstance {
    sendConsole(request: FastifyRequest, reply: FastifyReply): FastifyReply
  }
}
