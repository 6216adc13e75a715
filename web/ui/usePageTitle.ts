import { useEffect } from 'react'

/** Sets the title of the page in the browser's tab and history. */
export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = title === product ? product : `${title} - ${product}`
  }, [title])
}

const product = 'Pitboard'
