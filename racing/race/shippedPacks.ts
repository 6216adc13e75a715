import { minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'

/** Rules of series that the app offers for a new race. Ids are stored nowhere: races keep a copy of the rules. */
export const shippedPacks: readonly { readonly id: string; readonly rules: RaceRules }[] = [
  {
    id: 'aer',
    rules: {
      ...noRules,
      name: 'AER (American Endurance Racing)',
      source: {
        url: 'http://americanenduranceracing.com/home-2/advantages/',
        checkedOn: '2026-11-25',
      },
      minStop: { ms: 3 * minuteMs, counts: 'lane', onlyWithFuel: false },
      stops: { kind: 'formula', everyMinutes: 90, minus: 1 },
    },
  },
  {
    id: 'champcar',
    rules: {
      ...noRules,
      name: 'ChampCar Endurance Series',
      source: { url: 'https://forum.champcar.org/topic/19827', checkedOn: '2026-11-24' },
      maxStintMs: 120 * minuteMs,
      minStop: { ms: 5 * minuteMs, counts: 'lane', onlyWithFuel: true },
      // 35 mph.
      pitSpeedKmh: 56,
    },
  },
  {
    id: 'msls',
    rules: {
      ...noRules,
      name: 'MSLS 8 h (Sweden)',
      source: { url: 'https://msls.info', checkedOn: '2026-11-24' },
      maxStintMs: 70 * minuteMs,
      stops: { kind: 'count', count: 7 },
      minLapsBetweenStops: 1,
    },
  },
]
