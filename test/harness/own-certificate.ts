// A self-signed certificate for localhost and 127.0.0.1, valid until 2126, for servers with TLS. Clients trust it
// through NODE_EXTRA_CA_CERTS.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../fixtures/tls/', import.meta.url))

export const ownCertificate = {
  file: `${folder}certificate.pem`,
  keyFile: `${folder}key.pem`,
  cert: readFileSync(`${folder}certificate.pem`, 'utf8'),
  key: readFileSync(`${folder}key.pem`, 'utf8'),
}
