/** A site of IPv6 may do as much as this number of its networks together. */
export const SITE_SHARE = 8

/** The network of an address. An IPv6 customer owns a whole /64: its addresses count as one network. */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip
  if (ip.startsWith('::ffff:')) return ip.slice(7)
  const [head = '', tail = ''] = ip.split('::')
  // A proxy may pad groups with zeros or write them in capitals.
  const groupsOf = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16).toString(16))
  const left = groupsOf(head)
  const right = groupsOf(tail)
  const zeros = ip.includes('::') ? Array(8 - left.length - right.length).fill('0') : []
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

/** The /48 that an IPv6 network belongs to: its customer calls from 65,536 networks. An IPv4 network has none. */
export function siteOf(network: string): string | undefined {
  const site = network.replace(/:[0-9a-f]+::\/64$/, '::/48')
  return site === network ? undefined : site
}
