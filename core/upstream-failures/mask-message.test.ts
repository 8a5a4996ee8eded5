import { describe, expect, it } from 'vitest'
import { processorTime } from '../../test/harness/clock.ts'
import { LONGEST_MASKED, maskKeys, maskMessage } from './mask-message.ts'

describe('masking a message', () => {
  it.each([
    ['see https://console.x.ai/team, please', 'see ***, please'],
    ['host api.internal.example.com:8443 refused', 'host *** refused'],
    ['see api.example.com.The_key is bad', 'see ***.The_key is bad'],
    ['dial tcp 10.0.3.4:443: refused', 'dial tcp ***: refused'],
    ['peer fe80::1ff:fe23:4567:890a gone', 'peer *** gone'],
    ['Incorrect API key provided: sk-t****nai.', 'Incorrect API key provided: ***.'],
    ['in organization org-AbCd1234 on tokens', 'in organization *** on tokens'],
    ['key AIzaSyA1234567890abcdefg bad', 'key *** bad'],
    ['Bearer abc.def.ghi refused', '*** refused'],
    ['mail admin@example.com', 'mail ***'],
    ['token 0123456789abcdef0123456789abcdef bad', 'token *** bad'],
  ])('turns "%s" into "%s"', (message, masked) => {
    expect(maskMessage(message)).toBe(masked)
  })

  it.each([
    'Invalid value at generation_config.temperature.',
    'Invalid value at response_format.json_schema.info.',
    "Unsupported value: 'temperature' must be between 0 and 2.",
    'messages.0.content.1.tool_result: at 12:34:56 the model claude-3.5-sonnet failed',
    'models/no-such-model is not found for API version v1beta.',
    'Rate limit reached for gpt-4o-mini on requests per min (RPM): Limit 3, Used 3.',
    'model llama-4-maverick-17b-128e-instruct-fp8 not found, e.g. std::bad_alloc',
    'Your api key: ****test is invalid',
  ])('keeps "%s"', (message) => {
    expect(maskMessage(message)).toBe(message)
  })

  it.each([
    [
      'see https://console.x.ai/keys?key=AIzaSyA1234567890abcdefg',
      'see https://console.x.ai/keys?key=***',
    ],
    ['10.0.3.4:443 refused sk-t****nai', '10.0.3.4:443 refused ***'],
  ])('turns "%s" into "%s" for whoever owns the channel', (message, masked) => {
    expect(maskKeys(message)).toBe(masked)
  })

  it('masks the texts that are known to be secret', () => {
    expect(maskMessage('no access with hunter22', ['hunter22'])).toBe('no access with ***')
  })
})

describe('masking a long message', () => {
  it.each(['a-', 'a.', 'a:', '1:', 'sk-*', 'eyJa-', 'a@', '1.1.1.1:', 'http://', '[', '*/'])(
    'cuts repetitions of "%s" and is done at once',
    (piece) => {
      const spentMs = processorTime()
      expect(maskMessage(piece.repeat(1_000_000)).length).toBeLessThanOrEqual(LONGEST_MASKED + 1)
      expect(spentMs()).toBeLessThan(2_000)
    },
  )

  it('leaves no part of a key that stands where it is cut', () => {
    const before = 'word '.repeat(LONGEST_MASKED / 5 - 2)
    const masked = maskMessage(`${before}sk-1234567890abcdefghij and more`, [])
    expect(masked).not.toContain('sk-')
    const known = 'x'.repeat(LONGEST_MASKED - 4) + 'hunter22-hunter22'
    expect(maskMessage(known, ['hunter22-hunter22'])).not.toContain('hunt')
  })
})
