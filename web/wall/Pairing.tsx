import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { televisionCodeLifeMs } from '#contract/shared/lifetimes.ts'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { setLogin } from '#web/api/login.ts'
import { televisionsText } from '#web/text/televisions.ts'
import { BarLogo } from '#web/ui/Bar.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { QrCode } from '#web/ui/QrCode.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import styles from './Pairing.module.css'

const askedEveryMs = 2000
/** A new code is shown this long before the server forgets the old one. */
const renewBeforeMs = 10_000
const codeKey = ['televisions.requestCode']

/** Shows a code until a member enters it. Then this browser gets the login of a television. */
export function Pairing() {
  usePageTitle(televisionsText.tvTitle)
  const client = useQueryClient()
  const query = useQuery({
    queryKey: codeKey,
    queryFn: () => command('televisions.requestCode', {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: 2,
  })
  const { data, error, refetch } = query
  const secret = data?.secret
  const { error: refused } = useQuery({
    queryKey: ['televisions.collect', secret],
    queryFn: async () => {
      const answer = await command('televisions.collect', { secret: secret ?? '' })
      if (answer.login) setLogin(client, answer.login)
      return answer
    },
    enabled: secret !== undefined,
    refetchInterval: askedEveryMs,
    refetchIntervalInBackground: true,
    gcTime: 0,
    retry: false,
  })
  // The clocks of televisions are often wrong, so the server decides when a code has expired.
  const isExpired = refused instanceof CallRefused && refused.code === 'code-dead'
  useEffect(() => {
    if (!data) return
    if (isExpired) return void refetch()
    const timer = setTimeout(() => void refetch(), televisionCodeLifeMs - renewBeforeMs)
    return () => clearTimeout(timer)
  }, [data, isExpired, refetch])
  return (
    <main className={styles.pairing}>
      <BarLogo />
      <h1 tabIndex={-1} className={styles.title}>
        {televisionsText.tvTitle}
      </h1>
      {data ? (
        <div className={styles.ways}>
          <div>
            <div className={styles.qr}>
              <QrCode text={allowAddress(data.code)} label={televisionsText.scan} />
            </div>
            <p>{televisionsText.scan}</p>
          </div>
          <div>
            <p>{televisionsText.orType(`${location.host}/tv/allow`)}</p>
            <output className={styles.code} data-code>
              {data.code.slice(0, 3)} {data.code.slice(3)}
            </output>
          </div>
        </div>
      ) : error ? (
        <NotLoaded query={query} failed={televisionsText.notStarted} />
      ) : (
        <div className={styles.ways}>
          <span className={typography.hidden}>{televisionsText.starting}</span>
          <Skeleton widthPx={320} heightPx={320} />
        </div>
      )}
    </main>
  )
}

function allowAddress(code: string): string {
  return `${location.origin}/tv/allow?code=${code}`
}
