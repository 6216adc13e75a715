import { useEffect, useState } from 'react'
import { stayAwake } from '#web/device/wakeLock.ts'
import { wallText } from '#web/text/wall.ts'
import { useMedia } from '#web/ui/useMedia.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import styles from './BigWall.module.css'
import { Lane } from './Lane.tsx'
import { useTelevisionLanes } from './useLanes.ts'
import { Wall } from './Wall.tsx'

/** The pointer is hidden after this long without a movement. */
const pointerMs = 3000

interface Props {
  teamId: string
  team: string
}

/** The pit wall of a television: it only shows, and stays awake. On a phone it is the list of a phone. */
export function BigWall({ teamId, team }: Props) {
  usePageTitle(wallText.title)
  const lanes = useTelevisionLanes(teamId)
  const hidesPointer = usePointerRest()
  const isBig = useMedia('(min-width: 900px)')
  useEffect(() => stayAwake(() => undefined), [])
  return (
    <div className={styles.screen} data-no-pointer={hidesPointer || undefined}>
      <Wall
        big={isBig}
        team={team}
        {...lanes}
        renderLane={shared => <Lane key={shared.lane.id} {...shared} />}
      />
    </div>
  )
}

/** True if the pointer has not moved for some seconds. */
function usePointerRest(): boolean {
  const [rests, setRests] = useState(false)
  useEffect(() => {
    let timer = setTimeout(() => setRests(true), pointerMs)
    const onMove = () => {
      clearTimeout(timer)
      setRests(false)
      timer = setTimeout(() => setRests(true), pointerMs)
    }
    addEventListener('pointermove', onMove)
    return () => {
      clearTimeout(timer)
      removeEventListener('pointermove', onMove)
    }
  }, [])
  return rests
}
