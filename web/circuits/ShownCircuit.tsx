import { useMemo, useState } from 'react'
import type { TeamCircuit } from '#contract/circuits.ts'
import { nearestOnTrack, pointAtProgress } from '#contract/shared/track.ts'
import { useConnectionState } from '#web/live/useLive.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { CircuitActions, Note } from './CircuitActions.tsx'
import { CircuitDrawing } from './CircuitDrawing.tsx'
import { drawingOf } from './drawing.ts'
import { PlaceLine } from './PlaceLine.tsx'
import { useCircuitChanges } from './useCircuitChanges.ts'
import type { CircuitCar } from './useCircuits.ts'

interface Props {
  teamId: string
  circuit: TeamCircuit
  cars: readonly CircuitCar[]
  viewer: boolean
}

/** The drawing of a circuit, and the changes that may be made to it. */
export function ShownCircuit({ teamId, circuit, cars, viewer }: Props) {
  const here = cars.filter(({ circuitId }) => circuitId === circuit.id)
  const online = useConnectionState().status === 'open'
  const drawing = useMemo(() => drawingOf(circuit), [circuit])
  const { track } = drawing
  const session =
    (here.find(({ session: each }) => each.latitude !== null) ?? here[0])?.session ?? null
  const changes = useCircuitChanges({ teamId, circuit, session })
  const [progress, setProgress] = useState<number | null>(null)
  const placing =
    progress === null ? null : track.plane.toPosition(pointAtProgress(track, progress))
  return (
    <>
      <CircuitDrawing
        circuit={circuit}
        drawing={drawing}
        placing={placing}
        onTap={place => progress !== null && setProgress(nearestOnTrack(track, place).progress)}
        cars={here}
        online={online}
      />
      {viewer ? (
        <Note>{circuitsText.viewOnly}</Note>
      ) : progress === null || placing === null ? (
        <CircuitActions
          circuit={circuit}
          changes={changes}
          session={session}
          isOneOfMany={here.length > 1}
          onPlace={() => setProgress(nearestOnTrack(track, circuit.line).progress)}
        />
      ) : (
        <PlaceLine
          circuit={circuit}
          progress={progress}
          busy={changes.place.isPending}
          onProgress={setProgress}
          onSave={() => changes.place.mutate(placing, { onSuccess: () => setProgress(null) })}
          onCancel={() => setProgress(null)}
        />
      )}
    </>
  )
}
