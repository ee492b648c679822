import { describe, expect, it } from 'vitest'
import { networkOf, siteOf } from './networks.ts'

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('takes %s for the network %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })
})

describe('siteOf', () => {
  it.each([
    ['203.0.113.7', undefined],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['0:0:0:0::/64', '0:0:0::/48'],
  ])('takes %s for a part of %s', (network, site) => {
    expect(siteOf(network)).toBe(site)
  })
})
