import { expect, test } from 'vitest'
import { recordingIn } from './recording.ts'

const nowMs = Date.UTC(2026, 10, 28)
const weekMs = 7 * 24 * 3600 * 1000

const formats = {
  NMEA: (day: string) =>
    [0, 1, 2]
      .map(
        n =>
          `$GPRMC,13000${n}.00,A,5030.00${n}0,N,00515.0000,E,1.0,2.0,${day.slice(8)}${day.slice(5, 7)}${day.slice(2, 4)},,,A`,
      )
      .join('\n'),
  CSV: (day: string) =>
    `date,time,lat,lon\n${[0, 1, 2].map(n => `${day},13:00:0${n},${50.5 + n / 1e5},5.25`).join('\n')}`,
  VBO: (day: string) =>
    `File created on ${day.split('-').toReversed().join('/')} at 13:00\n[column names]\ntime lat long\n[data]\n${[0, 1, 2].map(n => `13000${n}.0 +03030.00${n}0 -00315.0`).join('\n')}`,
}

test.each(Object.entries(formats))('%s gets the weeks that its receiver lost', (_, write) => {
  for (const weeks of [1024, 2048]) {
    const day = new Date(Date.UTC(2026, 5, 20) - weeks * weekMs).toISOString().slice(0, 10)
    const { fixes, addedWeeks } = recordingIn(write(day), { nowMs })
    expect(new Date(fixes[0]?.atMs ?? 0).toISOString()).toBe('2026-06-20T13:00:00.000Z')
    expect(addedWeeks).toBe(weeks)
  }
  for (const day of ['2026-06-20', '2012-06-20', '2008-06-20']) {
    const { fixes, addedWeeks } = recordingIn(write(day), { nowMs })
    expect(new Date(fixes[0]?.atMs ?? 0).toISOString().slice(0, 10)).toBe(day)
    expect(addedWeeks).toBe(0)
  }
})
