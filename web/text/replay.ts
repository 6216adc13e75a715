export const replayText = {
  page: 'Replay',
  back: 'Laps',
  loading: 'Loading the replay',
  failed: 'The replay did not load',
  none: 'No positions',
  noneText:
    'The driver deleted the positions of this session, they are older than this server stores them, or the phone had no GPS.',

  mapOf: (circuit: string) => `${circuit} with the position of the car`,
  drivenMap: 'The driven line with the position of the car',
  loadingPart: 'Loading positions',
  partFailed: 'These positions did not load.',
  gap: 'No position',

  glass: "Driver's screen",
  glassOf: (driver: string) => `Driver's screen, ${driver}`,
  flag: (flag: string, took: string) => `Official flag ${flag}, shown ${took} after race control.`,
  handFlag: (flag: string, took: string) => `Official flag ${flag}, by hand, shown after ${took}.`,
  linkOff: 'The data link was off: what the driver saw is not known.',
  empty: 'No message',
  stop: 'The pit stop',
  emptyWithLaps: 'No message. The delta is that of the last lap.',
  kmh: 'km/h',
  answered: (answer: string, took: string) => `${answer} after ${took}`,

  speed: 'Speed',
  speedOfLap: (lap: string) => `Speed over lap ${lap}`,
  speedOfLapAndBest: (lap: string, best: string) =>
    `Speed over lap ${lap}, compared with the best lap, ${best}`,
  speedOverTime: 'Speed over five minutes',
  km: (km: string) => `${km} km`,

  play: 'Play',
  pause: 'Pause',
  times: (speed: string) => `${speed}×`,
  timesLabel: (speed: string) => `Speed of the replay, ${speed} times`,
  time: 'Time',
  timeAndLap: (time: string, lap: string) => `${time}, lap ${lap}`,
  lap: (lap: string) => `Lap ${lap}`,
  intoLap: (lap: string, time: string) => `Lap ${lap}, ${time} in`,
}
