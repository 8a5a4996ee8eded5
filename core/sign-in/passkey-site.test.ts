import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { passkeySiteOf } from './passkey-site.ts'

const call = (host: string, origin?: string) =>
  ({ host, headers: origin === undefined ? {} : { origin } }) as FastifyRequest

describe('where a passkey may be used', () => {
  it('is ServerAddress, when there is one', () => {
    const site = { rpId: 'gate.example', origins: ['https://gate.example:8443'] }
    const address = 'https://gate.example:8443'
    expect(passkeySiteOf(call('10.0.0.9:3000'), address)).toEqual(site)
    expect(passkeySiteOf(call('gate.example:8443', address), address)).toEqual(site)
  })

  it('is nowhere else then, and that is said', () => {
    const elsewhere = () =>
      passkeySiteOf(call('gate.local', 'http://gate.local'), 'https://gate.example')
    expect(elsewhere).toThrow('https://gate.example')
  })

  it('is the host that was called, by either scheme, while there is none', () => {
    expect(passkeySiteOf(call('Gate.example:8443', 'https://gate.example:8443'), '')).toEqual({
      rpId: 'gate.example',
      origins: ['https://gate.example:8443', 'http://gate.example:8443'],
    })
  })

  it.each([
    ['203.0.113.9:3000', ''],
    ['[::1]:3000', ''],
    ['gate.example', 'https://203.0.113.9'],
  ])('is no address: %s %s', (host, address) => {
    expect(() => passkeySiteOf(call(host), address)).toThrow('domain name')
  })
})
