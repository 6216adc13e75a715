import { StintLine } from '#web/features/fuel/StintLine.tsx'
import { LapStrip } from '#web/features/laps/strip/LapStrip.tsx'
import { CircuitMap } from '#web/features/map/CircuitMap.tsx'
import { MessageScreen } from '#web/features/message/MessageScreen.tsx'
import { RaceClock } from '#web/features/race/RaceClock.tsx'
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
