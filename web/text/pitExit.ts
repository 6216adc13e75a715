/** A visit to the pits that the car has left, on the team's screens. */
export const pitExitText = {
  leftEarly: (time: string, isAbout: boolean) => `Left ${isAbout ? 'about ' : ''}${time} early`,
  atLine: (of: string) => `${of} at the pit-out line`,
  noStop: 'No stop seen',
  inPits: (time: string) => `${time} in the pits`,
  /** In the list of a plan, its sentence, and the result. */
  noStopAfter: (time: string) => `${time} in the pits, no stop seen.`,
  noStops: (visits: number) => `${visits === 1 ? '1 visit' : `${visits} visits`}, no stop seen`,
  ago: (text: string, age: string) => `${text}, ${age} ago`,
}
