import { describe, expect, it } from 'vitest'
import { Calendar, isTimeZone } from './calendar.ts'
import type { Period } from './schema.ts'

const span = (zone: string, period: Period, moment: string) => {
  const { start, end } = new Calendar(zone).spanAt(period, Date.parse(moment))
  return [start, end].map((ms) => new Date(ms).toISOString().replace(':00.000Z', 'Z'))
}

describe('periods of a calendar', () => {
  it.each<[string, Period, string, string, string]>([
    ['UTC', 'day', '2026-05-01T23:59:59Z', '2026-05-01T00:00Z', '2026-05-02T00:00Z'],
    ['UTC', 'week', '2026-05-03T12:00:00Z', '2026-04-27T00:00Z', '2026-05-04T00:00Z'],
    ['UTC', 'week', '2026-05-04T00:00:00Z', '2026-05-04T00:00Z', '2026-05-11T00:00Z'],
    ['UTC', 'month', '2026-12-31T23:59:59Z', '2026-12-01T00:00Z', '2027-01-01T00:00Z'],
    ['UTC', 'month', '2028-02-29T00:00:00Z', '2028-02-01T00:00Z', '2028-03-01T00:00Z'],
    ['Asia/Shanghai', 'day', '2026-05-01T16:00:00Z', '2026-05-01T16:00Z', '2026-05-02T16:00Z'],
    ['Asia/Shanghai', 'month', '2026-04-30T15:59:59Z', '2026-03-31T16:00Z', '2026-04-30T16:00Z'],
    // Days of 23 and 25 hours.
    ['Europe/Berlin', 'day', '2026-03-29T12:00:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['Europe/Berlin', 'day', '2026-10-25T12:00:00Z', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['America/New_York', 'week', '2026-03-08T12:00:00Z', '2026-03-02T05:00Z', '2026-03-09T04:00Z'],
    // A day without a midnight.
    ['Africa/Cairo', 'day', '2026-04-24T12:00:00Z', '2026-04-23T22:00Z', '2026-04-24T21:00Z'],
    ['Asia/Kathmandu', 'day', '2026-05-01T12:00:00Z', '2026-04-30T18:15Z', '2026-05-01T18:15Z'],
  ])('in %s the %s of %s', (zone, period, moment, start, end) => {
    expect(span(zone, period, moment)).toEqual([start, end])
  })

  it('follow one another without a gap for a year of hours', () => {
    for (const zone of ['Europe/Berlin', 'America/Santiago', 'Africa/Cairo', 'Asia/Shanghai']) {
      const calendar = new Calendar(zone)
      for (const period of ['day', 'week', 'month'] as const) {
        let at = Date.parse('2026-01-01T00:00:00Z')
        let { end } = calendar.spanAt(period, at)
        for (; at < Date.parse('2027-01-01T00:00:00Z'); at += 3_600_000) {
          const now = calendar.spanAt(period, at)
          expect(now.start <= at && at < now.end).toBe(true)
          if (now.end === end) continue
          expect(now.start).toBe(end)
          ;({ end } = now)
        }
      }
    }
  })

  it('are written with their zone', () => {
    const calendar = new Calendar('Asia/Shanghai')
    expect(calendar.shown(Date.parse('2026-05-01T16:00:00Z'))).toBe(
      '2026-05-02 00:00 (Asia/Shanghai)',
    )
  })

  it('need a zone that there is', () => {
    expect(['UTC', 'Europe/Berlin', 'Mars/Base', 'x'].map(isTimeZone)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
