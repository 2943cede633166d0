import { assertEquals } from "@std/assert";
import { AddressBook, numberedAddress } from "./address_book.ts";
import type { Pipe } from "./fair_queue.ts";

const octets = (text: string) => new TextEncoder().encode(text);
const pipe = (name: string) => ({ name }) as unknown as Pipe;

Deno.test("AddressBook.get() finds who was set, by the octets and not by the array", () => {
  const book = new AddressBook();
  const [ada, ben, one] = [pipe("ada"), pipe("ben"), pipe("one")];
  book.set(octets("ada"), ada);
  book.set(octets("ben"), ben);
  book.set(numberedAddress(1), one);
  for (let i = 0; i < 2; i++) {
    assertEquals(book.get(octets("ada")), ada);
    assertEquals(book.get(octets("ada")), ada);
    assertEquals(book.get(octets("ben")), ben);
    assertEquals(book.get(numberedAddress(1)), one);
  }
  assertEquals(book.get(octets("adam")), undefined);
  assertEquals(book.get(octets("ad")), undefined);
  assertEquals(book.get(octets("")), undefined);
  assertEquals(book.get(numberedAddress(2)), undefined);
});

Deno.test("AddressBook.get() isn't deceived by an address that the caller changed after a call", () => {
  const book = new AddressBook();
  const [ada, ben] = [pipe("ada"), pipe("ben")];
  book.set(octets("ada"), ada);
  book.set(octets("ben"), ben);
  const address = octets("ada");
  assertEquals(book.get(address), ada);
  address.set(octets("ben"));
  assertEquals(book.get(address), ben);
  assertEquals(book.get(octets("ada")), ada);
});

Deno.test("AddressBook.set() hands an address over, and delete() takes it away", () => {
  const book = new AddressBook();
  const [old, young] = [pipe("old"), pipe("young")];
  for (const address of [octets("ada"), numberedAddress(7)]) {
    book.set(address, old);
    assertEquals(book.get(address), old);
    book.set(address, young);
    assertEquals(book.get(address), young);
    book.delete(address);
    assertEquals(book.get(address), undefined);
    book.set(address, old);
    assertEquals(book.get(address), old);
  }
});

Deno.test("AddressBook tells numbers of its own from names that look like them", () => {
  const book = new AddressBook();
  const [number, name, long] = [pipe("number"), pipe("name"), pipe("long")];
  book.set(numberedAddress(0xffff_fffe), number);
  book.set(new Uint8Array([1, 0xff, 0xff, 0xff, 0xfe]), name);
  book.set(new Uint8Array([0, 0xff, 0xff, 0xff, 0xfe, 0]), long);
  assertEquals(book.get(new Uint8Array([0, 0xff, 0xff, 0xff, 0xfe])), number);
  assertEquals(book.get(new Uint8Array([1, 0xff, 0xff, 0xff, 0xfe])), name);
  assertEquals(book.get(new Uint8Array([0, 0xff, 0xff, 0xff, 0xfe, 0])), long);
});
