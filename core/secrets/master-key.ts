import { randomBytes, scryptSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

const keyBytes = 32
const fileName = 'secret.key'
const shortestSecretKey = 16
const keyInDigits = /^[0-9a-f]{64}\s*$/

/** The key from which all others are derived: SECRET_KEY, or else a file in the data directory that is created at the
 *  first start.
 *  @throws Error with a sentence for the operator */
export async function loadMasterKey(input: {
  secretKey: string | undefined
  dataDir: string
}): Promise<Buffer> {
  if (input.secretKey) return fromPassphrase(input.secretKey)
  const path = keyFileOf(input.dataDir)
  return (await readKeyFile(path)) ?? (await createKeyFile(path, input.dataDir))
}

/** Where the key is kept if SECRET_KEY is not set. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, fileName)
}

export function hasKeyFile(dataDir: string): boolean {
  return existsSync(keyFileOf(dataDir))
}

/** The key itself where SECRET_KEY holds what a key file holds: a gateway that began with a file has further nodes now, or
 *  moved to where only variables are set. A passphrase may look the same; what the database can be read with decides. */
export function keyOfDigits(secretKey: string): Buffer | undefined {
  return keyInDigits.test(secretKey) ? Buffer.from(secretKey.trim(), 'hex') : undefined
}

function fromPassphrase(secretKey: string): Buffer {
  if (secretKey.length < shortestSecretKey) {
    throw new Error(`SECRET_KEY must have at least ${shortestSecretKey} characters.`)
  }
  // The salt is constant because every node must derive the same key from the variable alone.
  return scryptSync(secretKey, 'tollgate master key v1', keyBytes)
}

async function readKeyFile(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error })
  })
  if (text === undefined) return undefined
  const key = keyOfDigits(text)
  if (key === undefined) {
    throw new Error(
      `${path} does not hold a master key (64 hexadecimal digits); restore it or set SECRET_KEY.`,
    )
  }
  await closeToOthers(path)
  return key
}

/** Restored backups are often readable by every user of the machine. */
async function closeToOthers(path: string): Promise<void> {
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, 0o600)
}

/** Written under another name and then linked, so that two processes that start at the same time end with the same key. */
async function createKeyFile(path: string, dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true })
  const key = randomBytes(keyBytes)
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = await open(draft, 'wx', 0o600).catch((cause: Error) => {
    throw new Error(`No master key can be kept in ${dataDir} (${cause.message}); set SECRET_KEY.`, {
      cause,
    })
  })
  try {
    await file.writeFile(`${key.toString('hex')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const other = await readKeyFile(path)
    if (other === undefined) throw error
    return other
  } finally {
    await unlink(draft)
  }
}
