import { lazy, Suspense } from 'react'
import { type MapProps, MessageScreen } from '#web/features/message/MessageScreen.tsx'

const CircuitMap = lazy(async () => {
  const { CircuitMap } = await import('#web/features/map/CircuitMap.tsx')
  return { default: CircuitMap }
})

/** /teams/:teamId/:sessionId/message. The map is fetched by those who look at it. */
export function MessageRoute() {
  return <MessageScreen renderMap={renderMap} />
}

function renderMap(props: MapProps) {
  return (
    <Suspense fallback={<span />}>
      <CircuitMap {...props} />
    </Suspense>
  )
}
