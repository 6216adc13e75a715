import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import { sentenceOf } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { useToasts } from '#web/ui/toasts.ts'

/** The external sign-in came back with `?refused=code`: says why once, and takes it off the address. */
export function useRefusedReturn() {
  const toasts = useToasts()
  const [search, setSearch] = useSearchParams()
  const code = search.get('refused')
  const tell = useEffectEvent((refused: string) => {
    toasts.error(appText.error, sentenceOf(refused), 'sign-in')
    const rest = new URLSearchParams(search)
    rest.delete('refused')
    setSearch(rest, { replace: true })
  })
  useEffect(() => {
    if (code !== null) tell(code)
  }, [code])
}
