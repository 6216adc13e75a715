export const mapText = {
  map: 'Map',
  circuit: (name: string) => `${name} with the start and finish line and the driver's position`,
  unnamed: 'Unnamed circuit',
  notNear: 'Not near this circuit',
  noPosition: 'No position from the driver yet',
  lastPlace: 'Last known position',
  /** On a map that is turned. */
  north: 'N →',
}
