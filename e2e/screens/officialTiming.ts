import type { OfficialTiming } from '#contract/timing.ts'

const entered = {
  entryId: '5b0f3c1e-8d1c-4f0a-9d57-3f5f0c1f7a11',
  by: 'Sam Tester',
  agoMs: 125_000,
}

/** Entries by hand of a team without a source. */
export const timingByHand: OfficialTiming = {
  source: null,
  failure: null,
  silentForMs: null,
  followsClock: false,
  skippedLines: 0,
  run: {
    name: null,
    flag: 'Yellow',
    flagSilentForMs: null,
    flagEntered: { ...entered, entryId: '0c0a4b52-8c4b-4b5e-8a56-0f5f0c1f7a12', agoMs: 42_000 },
    timeToGoMs: null,
    lapsToGo: null,
    slowFromMs: null,
    stopLosses: { green: null, yellow: null },
    standings: [
      {
        position: 4,
        number: '17',
        className: null,
        classPosition: null,
        laps: 78,
        totalMs: null,
        bestMs: null,
        lastMs: null,
        toLeader: null,
        toAhead: { laps: 0, ms: 12_400 },
        toAheadInClass: null,
        usualMs: null,
        stops: null,
        entered,
        lapsEnteredAgoMs: 65_000,
      },
    ],
  },
}

/** The field of a race in three classes, of which two cars are the team's. */
export const officialTiming: OfficialTiming = {
  source: { kind: 'rmonitor', host: 'timing.example.com', port: 50_000 },
  failure: null,
  silentForMs: 600,
  followsClock: false,
  skippedLines: 0,
  run: {
    name: 'Zolder 6 hours',
    flag: 'Yellow',
    flagSilentForMs: 600,
    timeToGoMs: 12_258_000,
    lapsToGo: null,
    slowFromMs: 8_900_000,
    stopLosses: {
      green: { count: 22, medianMs: 96_000, plusMinusMs: 2600, ofAllPlusMinusMs: 6400, pace: 1 },
      yellow: { count: 6, medianMs: 64_000, plusMinusMs: 5200, ofAllPlusMinusMs: 7600, pace: 0.55 },
    },
    standings: ['8', '31', '9', '17', '77', '382', '44', '107B', '12'].map((number, index) => {
      const gap = index === 0 ? null : { laps: Math.floor(index / 2), ms: index * 12_400 + 3200 }
      const isKnown = number !== '12'
      return {
        position: index + 1,
        number,
        className: ['A', 'A', 'B', 'B', 'A', 'B', 'B', 'C', 'C'][index] ?? null,
        classPosition: [1, 2, 1, 2, 3, 3, 4, 1, 2][index] ?? null,
        laps: 80 - Math.floor(index / 2),
        totalMs: 9_000_000 + index * 15_600,
        bestMs: 108_900 + index * 740,
        usualMs: 111_000 + index * 910,
        stops: {
          count: isKnown ? 3 + (index % 2) : null,
          green: { count: 3, medianMs: 94_000 + index * 300 },
          yellow: null,
        },
        lastMs: isKnown ? 109_800 + index * 910 : null,
        toLeader: isKnown ? gap : null,
        toAhead: isKnown ? gap && { laps: 0, ms: 12_400 } : null,
        toAheadInClass: isKnown ? gap && { laps: index > 4 ? 1 : 0, ms: 41_200 } : null,
      }
    }),
  },
}
