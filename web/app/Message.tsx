import { CircuitMap } from '#web/circuits/CircuitMap.tsx'
import { LapStrip } from '#web/laps/LapStrip.tsx'
import { MessageScreen } from '#web/message/MessageScreen.tsx'
import { RaceClock } from '#web/race/RaceClock.tsx'
import { StintLine } from '#web/race/StintLine.tsx'
import { WithRefuel } from './WithRefuel.tsx'

/** The message screen, with the circuit map in its map mode, and laps, stint and race clock on its board. */
export function Message() {
  return (
    <WithRefuel>
      <MessageScreen
        renderMap={map => <CircuitMap {...map} />}
        renderLaps={session => (
          <>
            <LapStrip {...session} />
            <StintLine {...session} />
          </>
        )}
        renderRace={race => <RaceClock {...race} />}
      />
    </WithRefuel>
  )
}
