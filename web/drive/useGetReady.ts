import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** Whether Get ready is open, which the address shows. Any message closes it. */
export function useGetReady(hasMessage: boolean): [boolean, (open: boolean) => void] {
  const isAsked = useLocation().search.includes('checks')
  const navigate = useNavigate()
  const setOpen = (open: boolean) =>
    void navigate({ search: open ? 'checks' : '' }, { replace: true })
  const close = useEffectEvent(() => setOpen(false))
  const isReplaced = isAsked && hasMessage
  useEffect(() => {
    if (isReplaced) close()
  }, [isReplaced])
  return [isAsked && !hasMessage, setOpen]
}
