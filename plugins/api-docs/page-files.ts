import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export interface PageFile {
  type: string
  plain: Buffer
  packed: Buffer
}

const own = (name: string) => fileURLToPath(new URL(`./page/${name}`, import.meta.url))
const viewer = (name: string) =>
  fileURLToPath(new URL(`static/${name}`, import.meta.resolve('@fastify/swagger-ui')))

/** The files of the page; nothing else in these folders is served. */
const places: ReadonlyMap<string, { type: string; path: string }> = new Map([
  ['index.html', { type: 'text/html; charset=utf-8', path: own('index.html') }],
  ['page.js', { type: 'text/javascript; charset=utf-8', path: own('page.js') }],
  ['page.css', { type: 'text/css; charset=utf-8', path: own('page.css') }],
  ['viewer.js', { type: 'text/javascript; charset=utf-8', path: viewer('swagger-ui-bundle.js') }],
  ['viewer.css', { type: 'text/css; charset=utf-8', path: viewer('swagger-ui.css') }],
])

/** Kept for the life of the process, because the files only change with a new version. */
const read = new Map<string, PageFile>()

/** Undefined for every other name. */
export async function pageFile(name: string): Promise<PageFile | undefined> {
  const place = places.get(name)
  if (!place) return undefined
  const file = read.get(name) ?? (await load(place))
  read.set(name, file)
  return file
}

async function load({ type, path }: { type: string; path: string }): Promise<PageFile> {
  const plain = await readFile(path)
  return { type, plain, packed: await promisify(gzip)(plain) }
}
