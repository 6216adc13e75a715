import { createHash, randomBytes, webcrypto } from 'node:crypto'
import { BlockList, isIP, isIPv6 } from 'node:net'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { z } from 'zod'
import type { EpochMs } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { keyFile, readIfExists, writePrivately } from './privateFiles.ts'

/** A certificate with its chain, and its private key, both in PEM. */
export interface TlsCertificate {
  cert: string
  key: string
}

/** Local networks, with the length of their prefixes: the only addresses that the authority can certify. */
const localNetworks = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
  ['fc00::', 7],
  ['fe80::', 10],
] as const

const localAddresses = new BlockList()
for (const [address, bits] of localNetworks)
  localAddresses.addSubnet(address, bits, familyOf(address))

/** Phones trust the authority once, so it lasts as long as they do. */
const authorityDays = 3650
/** Apple accepts at most 825 days from an authority that a user has installed. */
const certificateDays = 397
/** How far a phone's clock may be behind. */
const clockToleranceMs = dayMs

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

const Stored = z.object({
  certificate: z.string(),
  privateKey: z.string(),
  hostNames: z.array(z.string()),
})

/**
 * The certificate authority of this machine, which phones in a paddock trust. Name constraints limit it to this machine's
 * names and to addresses of local networks, so a stolen key opens no other site.
 */
export class Authority {
  readonly #stored: z.infer<typeof Stored>
  readonly #certificate: X509Certificate

  private constructor(stored: z.infer<typeof Stored>) {
    this.#stored = stored
    this.#certificate = new X509Certificate(stored.certificate)
  }

  /**
   * Opens the authority in the data folder, or makes it for these host names. Its private key stays in that folder,
   * readable only by its owner.
   */
  static async open(
    dataDir: string,
    hostNames: readonly string[],
    now: EpochMs,
  ): Promise<Authority> {
    const path = keyFile(dataDir, 'authority.json')
    const text = await readIfExists(path)
    if (text !== undefined) return new Authority(Stored.parse(JSON.parse(text)))
    const made = await makeAuthority(hostNames, now)
    await writePrivately(path, JSON.stringify(made))
    return new Authority(made)
  }

  /** The name under which phones list it. */
  get name(): string {
    return this.#certificate.subjectName.getField('CN')[0] ?? ''
  }

  get pem(): string {
    return this.#stored.certificate
  }

  get der(): Buffer {
    return Buffer.from(this.#certificate.rawData)
  }

  /** Four groups of hex digits, short enough to be compared by eye. */
  get fingerprint(): string {
    const digest = createHash('sha256').update(this.der).digest('hex').toUpperCase()
    return digest.slice(0, 16).replace(/.{4}(?=.)/g, '$& ')
  }

  /** True for the host names for which it was made, those below them, and addresses of local networks. */
  permits(host: string): boolean {
    if (isIP(host) !== 0) return isLocalAddress(host)
    return this.#stored.hostNames.some(name => host === name || host.endsWith(`.${name}`))
  }

  /** Issues a certificate with a new key for these host names and addresses, all of which must be permitted. */
  async issue(hosts: readonly string[], now: EpochMs): Promise<TlsCertificate> {
    const keys = await makeKeys()
    const signingKey = await webcrypto.subtle.importKey(
      'pkcs8',
      PemConverter.decodeFirst(this.#stored.privateKey),
      algorithm,
      false,
      ['sign'],
    )
    const certificate = await X509CertificateGenerator.create({
      ...validity(now, certificateDays),
      serialNumber: serialNumber(),
      subject: 'O=Pitboard',
      issuer: this.#certificate.subject,
      publicKey: keys.publicKey,
      signingKey,
      signingAlgorithm: algorithm,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension(
          hosts.map(value => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
        ),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
        await AuthorityKeyIdentifierExtension.create(this.#certificate),
      ],
    })
    return { cert: certificate.toString('pem'), key: await privateKeyPem(keys.privateKey) }
  }
}

/** True for addresses that only exist in local networks. */
export function isLocalAddress(address: string): boolean {
  return isIP(address) !== 0 && localAddresses.check(address, familyOf(address))
}

/** Makes a certificate that no browser trusts, with which a server listens until it has another one. */
export async function selfSigned(host: string, now: EpochMs): Promise<TlsCertificate> {
  const keys = await makeKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity(now, 2),
    serialNumber: serialNumber(),
    name: 'O=Pitboard',
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  })
  return { cert: certificate.toString('pem'), key: await privateKeyPem(keys.privateKey) }
}

async function makeAuthority(hostNames: readonly string[], now: EpochMs) {
  const keys = await makeKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity(now, authorityDays),
    serialNumber: serialNumber(),
    name: `CN=Pitboard paddock ${hostNames[0] ?? ''}, O=Pitboard`,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      new Extension('2.5.29.30', true, nameConstraints(hostNames)),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return {
    certificate: certificate.toString('pem'),
    privateKey: await privateKeyPem(keys.privateKey),
    hostNames: [...hostNames],
  }
}

function makeKeys() {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}

function validity(now: EpochMs, days: number) {
  return {
    notBefore: new Date(now - clockToleranceMs),
    notAfter: new Date(now + days * dayMs - clockToleranceMs),
  }
}

/** A positive number, as RFC 5280 demands. */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes.writeUInt8(0x40 | (bytes.readUInt8() & 0x3f))
  return bytes.toString('hex')
}

/** Encodes the permitted subtrees of RFC 5280, 4.2.1.10. */
function nameConstraints(hostNames: readonly string[]): Buffer {
  const names = hostNames.map(name => encoded(0x82, Buffer.from(name, 'ascii')))
  const networks = localNetworks.map(([address, bits]) =>
    encoded(0x87, Buffer.concat([bytesOf(address), maskOf(bits, isIPv6(address) ? 16 : 4)])),
  )
  const subtrees = [...names, ...networks].map(base => encoded(0x30, base))
  return encoded(0x30, encoded(0xa0, Buffer.concat(subtrees)))
}

/** Encodes a value in DER. Browsers refuse a length that takes more bytes than it needs. */
function encoded(tag: number, content: Buffer): Buffer {
  const { length } = content
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content])
}

/** Returns the bytes of the address of a network; an IPv6 one has only its first group. */
function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  const bytes = Buffer.alloc(16)
  bytes.writeUInt16BE(Number.parseInt(address, 16))
  return bytes
}

function maskOf(bits: number, length: number): Buffer {
  return Buffer.from(
    Array.from({ length }, (_, index) => {
      const ones = Math.min(8, Math.max(0, bits - 8 * index))
      return (0xff << (8 - ones)) & 0xff
    }),
  )
}

function familyOf(address: string) {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}
