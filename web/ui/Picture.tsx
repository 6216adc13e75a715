import { useState } from 'react'
import styles from './Picture.module.css'

/** Covers what it lies in once it is loaded. One that does not load leaves what is below to be seen. */
export function Picture({ src }: { src: string }) {
  const [there, setThere] = useState(false)
  return (
    <img
      className={styles.picture}
      data-there={there || undefined}
      src={src}
      alt=""
      draggable={false}
      onLoad={() => setThere(true)}
      onError={() => setThere(false)}
    />
  )
}
