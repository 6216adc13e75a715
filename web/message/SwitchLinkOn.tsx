import { useDataLink } from '#web/race/useDataLink.ts'
import { dataLinkText } from '#web/text/dataLink.ts'

interface Props {
  sessionId: string
  /** True where the text beside it names the data link. */
  isShort?: boolean
}

/** The way back, where a data link that is off is noticed. */
export function SwitchLinkOn({ sessionId, isShort = false }: Props) {
  const change = useDataLink(sessionId)
  return (
    <button type="button" disabled={change.isPending} onClick={() => change.mutate(true)}>
      {isShort ? dataLinkText.onShort : dataLinkText.on}
    </button>
  )
}
