// An authenticator in software (ES256, no attestation) that can also misbehave: a browser would prevent most of what
// the tests want to see refused.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export interface CeremonyOptions {
  challenge: string
  rp?: { id?: string }
  rpId?: string
}

/** Values that differ from what a browser or authenticator should send. */
export interface Lie {
  origin?: string
  rpId?: string
  challenge?: string
  credentialId?: string
  counter?: number
  isVerified?: boolean
}

const USER_PRESENT = 1
const USER_VERIFIED = 4
const HAS_CREDENTIAL = 64

export class SoftAuthenticator {
  readonly id = randomBytes(32).toString('base64url')
  readonly #origin: string
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject }
  counter = 0

  constructor(origin: string) {
    this.#origin = origin
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  /** Returns the body of `register/finish`. */
  create(options: CeremonyOptions, lie: Lie = {}) {
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const about = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()])
    const authData = Buffer.concat([this.#authData(options, lie, HAS_CREDENTIAL), about])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      cborBytes(authData),
    ])
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options, lie).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Returns the body of `login/finish` and similar calls. */
  get(options: CeremonyOptions, lie: Lie = {}) {
    const clientData = this.#clientData('webauthn.get', options, lie)
    const authData = this.#authData(options, lie)
    const hash = createHash('sha256').update(clientData).digest()
    const signed = Buffer.concat([authData, hash])
    const id = lie.credentialId ?? this.id
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      },
    }
  }

  #clientData(type: string, options: CeremonyOptions, lie: Lie): Buffer {
    const { challenge } = { ...options, ...lie }
    const origin = lie.origin ?? this.#origin
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authData({ rp, rpId }: CeremonyOptions, lie: Lie, flags = 0): Buffer {
    const site = lie.rpId ?? rp?.id ?? rpId ?? ''
    const verified = lie.isVerified === false ? 0 : USER_VERIFIED
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(lie.counter ?? this.counter)
    return Buffer.concat([
      createHash('sha256').update(site).digest(),
      Buffer.from([USER_PRESENT | verified | flags]),
      counter,
    ])
  }

  /** {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y} */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      cborBytes(Buffer.from(y, 'base64url')),
    ])
  }
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

function cborBytes(bytes: Buffer): Buffer {
  const length =
    bytes.length < 256
      ? Buffer.from([0x58, bytes.length])
      : Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff])
  return Buffer.concat([length, bytes])
}
