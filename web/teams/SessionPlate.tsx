import type { Session } from '#contract/sessions.ts'
import { drivingUserId, plateName } from '#web/race/driverName.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'

interface Props {
  session: Pick<Session, 'car' | 'driver' | 'currentDriver'>
  photoOf: (userId: string | null) => string | undefined
}

/** The car of a session by its number; without one its driver. */
export function SessionPlate({ session, photoOf }: Props) {
  if (session.car) return <CarPlate number={session.car.number} size="row" />
  return <ThreeLetterPlate name={plateName(session)} picture={photoOf(drivingUserId(session))} />
}
