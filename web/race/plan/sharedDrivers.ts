/** A car and the drivers who were chosen for it. */
interface CarDrivers {
  readonly number: string
  readonly driverIds: readonly string[]
}

/** Returns the drivers who were chosen for several cars, with the numbers of these cars. */
export function sharedDrivers(cars: readonly CarDrivers[]): { driverId: string; cars: string[] }[] {
  const driverIds = new Set(cars.flatMap(car => car.driverIds))
  return [...driverIds]
    .map(driverId => ({
      driverId,
      cars: cars.filter(car => car.driverIds.includes(driverId)).map(({ number }) => number),
    }))
    .filter(shared => shared.cars.length > 1)
}
