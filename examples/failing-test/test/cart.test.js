import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.js";

test("few pieces cost what they cost", () => assert.equal(total([{ price: 250, count: 2 }]), 500));
test("ten pieces are cheaper", () => assert.equal(total([{ price: 100, count: 10 }]), 900));
