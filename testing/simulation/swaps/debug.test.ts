import { test } from 'vitest'
import { carRaceOf } from '#racing/race/carRace.ts'
import { trueCarRace } from './compareWithTruth.ts'
import { runSwaps } from './runSwaps.ts'

test('dbg', () => {
  const r = runSwaps(Number(process.env.SEED), Number(process.env.STOPS ?? 10)) as any
  const { day, stored } = r.debug
  const t = (ms: number | null) =>
    ms === null || ms === Infinity ? '…' : new Date(ms).toISOString().slice(11, 21)
  const name = new Map<string, string>()
  for (const [i, s] of day.sessions.entries()) name.set(s.id, `s${i}/p${s.person}`)
  const lines: [number, string][] = []
  for (const s of day.stops)
    lines.push([
      s.pitInAt,
      `STOP in ${t(s.pitInAt)} box ${t(s.boxFrom)}–${t(s.boxUntil)} out ${t(s.pitOutAt)}`,
    ])
  for (const s of day.stays)
    lines.push([s.from, `  p${s.person} ${s.place} ${s.isOn ? 'on' : 'OFF'} until ${t(s.to)}`])
  for (const s of day.sessions)
    lines.push([s.startedAt, `  session ${name.get(s.id)} until ${t(s.endedAt)}`])
  for (const s of day.drivers)
    lines.push([s.at, `  driver p${s.person} ${s.mustBeEntered ? 'entered' : ''}`])
  for (const s of day.deadZones)
    lines.push([s.from, `  deadzone p${s.person} until ${t(s.to)} up ${t(s.uploadedAt)}`])
  for (const s of stored.runs)
    lines.push([s.from, `      RUN ${name.get(s.sessionId)} until ${t(s.until)} ${s.decidedBy}`])
  for (const s of stored.stints)
    lines.push([s.from, `      STINT ${s.driverId} (${name.get(s.sessionId)}) until ${t(s.to)}`])
  for (const p of stored.phones)
    for (const v of p.visits)
      lines.push([v.startedAt, `            visit ${name.get(p.sessionId)} until ${t(v.endedAt)}`])
  for (const [id, ph] of r.debug.phones)
    for (const d of ph.moves?.drives ?? [])
      lines.push([
        d.from,
        `            drive ${name.get(id)} until ${t(d.to)} ${d.leftPits ? 'left pits' : ''} proven ${t(d.provenAt)}`,
      ])
  if (process.env.LAPS) {
    for (const l of carRaceOf(stored).laps)
      lines.push([
        l.startedAt + l.timeMs,
        `                LAP ${l.number} ${l.kind} ${l.isSeen ? '' : 'unseen'} from ${t(l.startedAt)} ${name.get(l.sessionId)}`,
      ])
    for (const l of trueCarRace(day, stored, r.debug.driverIds).laps)
      lines.push([
        l.startedAt + l.timeMs,
        `                                      true ${l.number} ${l.kind} from ${t(l.startedAt)}`,
      ])
    if (process.env.LAPS === '2')
      for (const p of stored.phones)
        for (const l of p.laps)
          lines.push([
            l.startedAt + l.timeMs,
            `                                                     ${name.get(p.sessionId)} ${l.number} ${l.kind} ${l.isSeen ? '' : 'unseen'} from ${t(l.startedAt)}`,
          ])
  }
  for (const [at, line] of lines.sort((a, b) => a[0] - b[0])) console.log(t(at), line)
  const named = (v: string) => {
    for (const [id, n] of name) v = v.replaceAll(id, n)
    return v.replaceAll(/178\d{10}(\.\d+)?/g, x => t(Number(x)))
  }
  console.log(r.violations.map((v: string) => named(v).slice(0, 1500)).join('\n'))
})
