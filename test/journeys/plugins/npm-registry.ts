// A registry of npm on a local port, with one package.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface NpmRegistry {
  url: string
  /** Addresses that were asked for. */
  asked: string[]
  close(): Promise<void>
}

interface Package {
  name: string
  versions: Readonly<Record<string, Buffer>>
  dependencies?: Readonly<Record<string, string>>
}

/** The last version is `latest`. */
export async function npmRegistry(packages: readonly Package[]): Promise<NpmRegistry> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    asked.push(path)
    const [name = '', file] = path.slice(1).split('/-/')
    const found = packages.find((one) => one.name === name)
    const version = file?.replace('.tgz', '')
    if (!found)
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}')
    else if (version !== undefined) response.end(found.versions[version])
    else
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(document(found, url)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url, asked, close }
}

function document({ name, versions, dependencies = {} }: Package, url: string): object {
  const numbers = Object.keys(versions)
  const described = Object.entries(versions).map(([version, bytes]) => [
    version,
    {
      name,
      version,
      dependencies,
      dist: {
        tarball: `${url}/${name}/-/${version}.tgz`,
        integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      },
    },
  ])
  return { name, 'dist-tags': { latest: numbers.at(-1) }, versions: Object.fromEntries(described) }
}
