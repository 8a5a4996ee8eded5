// The upstream that is not Node: nginx with the answers as files.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../harness/postgres.ts'
import { ownCertificate } from '../harness/own-certificate.ts'
import { answers } from './answers.ts'
import { startCannedUpstream, type Upstream } from './canned-upstream.ts'

const programs = [
  process.env['NGINX'] ?? '',
  '/usr/sbin/nginx',
  '/usr/local/bin/nginx',
  '/opt/homebrew/bin/nginx',
]

/** nginx where it is installed; else sockets of Node, and it says so, since that upstream takes more of the load's core.
 *  @param isSecure through TLS, which sockets of Node do not speak here */
export async function startUpstream(port: number, isSecure: boolean): Promise<Upstream> {
  const program = programs.find((path) => path !== '' && existsSync(path))
  if (program !== undefined) return startNginx(program, port, isSecure)
  if (isSecure) throw new Error('--tls needs nginx')
  console.error('!!! nginx was not found: the upstream is Node, and the figures are not comparable')
  return startCannedUpstream(port)
}

async function startNginx(program: string, wanted: number, isSecure: boolean): Promise<Upstream> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nginx-'))
  // Its workers are another user's where the benchmark runs as root.
  chmodSync(folder, 0o755)
  const port = wanted || (await freePort())
  for (const [name, { pieces }] of Object.entries(answers))
    writeFileSync(join(folder, name), pieces.join(''))
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, isSecure))
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: 'ignore',
  })
  const url = `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`
  const close = () => {
    void once(child, 'exit').then(() => rmSync(folder, { recursive: true, force: true }))
    child.kill('SIGTERM')
  }
  try {
    await answering(port, () => child.exitCode)
  } catch (error) {
    close()
    throw error
  }
  return { name: isSecure ? 'nginx through TLS' : 'nginx', url, close }
}

/** A file is no answer to a POST: 405, which is turned into the file. */
function configuration(folder: string, port: number, isSecure: boolean): string {
  const places = Object.entries(answers).map(
    ([name, { contentType }]) =>
      `location /${name}/ { try_files /${name} =404; error_page 405 =200 /${name}; }
location = /${name} { default_type ${contentType}; error_page 405 =200 /${name}; }`,
  )
  const { file, keyFile } = ownCertificate
  const tls = `ssl_certificate ${file};\nssl_certificate_key ${keyFile};`
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log stderr error;
events { worker_connections 2048; }
http {
access_log off;
keepalive_requests 1000000000;
tcp_nopush on;
client_body_buffer_size 256k;
${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
server {
listen 127.0.0.1:${port}${isSecure ? ` ssl;\n${tls}` : ';'}
root ${folder};
${places.join('\n')}
}
}
`
}

async function answering(port: number, exitCode: () => number | null): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    if (exitCode() !== null) break
    await wait(50)
  }
  throw new Error('nginx does not answer')
}
