import { CircuitMap } from '#web/features/map/CircuitMap.tsx'
import { MessageScreen } from '#web/features/message/MessageScreen.tsx'

/** The message screen, with the circuit map in its map mode. */
export function Message() {
  return <MessageScreen renderMap={map => <CircuitMap {...map} />} />
}
