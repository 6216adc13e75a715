/** Another phone is in the car, on the screen of this one. */
export const takeoverText = {
  inCar: (phone: string) => `${phone} is in the car now.`,
  since: (time: string) => `Since ${time}. This phone shows no orders.`,
  wasInCar: (phone: string) => `${phone} was in the car last.`,
  until: (time: string) => `Until ${time}. This phone shows new orders only.`,
  waits: 'This phone waits',
  ordersOn: (phone: string) => `Orders: ${phone}`,
  endThis: 'End this session',
  needsNew: 'The next race needs a new one.',
  iAmIn: (car: string) => `I am in car ${car}`,
  drivenBy: (car: string, phone: string) => `Car ${car} is driven by ${phone}.`,
  yours: 'Yours takes over when the car leaves the pits.',
  whenLeaving: 'When I leave the pits',
  now: 'Take over now',
  failed: (reason: string) => `Not taken over. ${reason}`,
}
